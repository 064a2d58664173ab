"""A chat program that writes its id into a file, says a word, and takes a second, or a minute, for the next."""
import os
import sys
import time

with open(sys.argv[1], "a") as pids:
    pids.write(f"{os.getpid()}\n")
print("one ", end="")
time.sleep(60 if "long" in sys.stdin.read() else 1)
print("two", end="")
