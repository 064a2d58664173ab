"""`python -m toolgate` is the command `toolgate`."""
from .cli import main

main(prog_name="toolgate")
