"""What a `$ref` within a JSON Schema means."""
from __future__ import annotations

from collections.abc import Mapping

Schema = Mapping[str, object]


def referred(root: Schema, ref: str) -> object:
    """What a reference within the document means (RFC 6901); None if it is nowhere."""
    found: object = root
    if not ref.startswith("#"):
        return None
    for step in ref[1:].split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and step.isdecimal() and int(step) < len(found):
            found = found[int(step)]
        else:
            found = found.get(step) if isinstance(found, Mapping) else None
    return found
