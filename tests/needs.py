"""What some tests need from outside, and what is said where it is not there."""
import importlib.util
import os
from pathlib import Path

SHARED = Path(os.environ.get("TOOLGATE_SHARED", Path(__file__).parent.parent.parent / "shared"))
HERE = {
    "shared": (lambda: (SHARED / "captures").is_dir(), f"no {SHARED}"),
    "server": (lambda: os.name == "posix", "gunicorn does not run here"),
    "clients": (lambda: importlib.util.find_spec("openai") is not None, "no openai package"),
}


def missing():
    """Marker -> why its tests cannot run here."""
    return {marker: why for marker, (is_here, why) in HERE.items() if not is_here()}
