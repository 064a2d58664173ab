"""Ids as the API's own look: a prefix and 24 letters and digits, unique everywhere."""
from __future__ import annotations

import secrets


def new_id() -> str:
    return f"chatcmpl-{secrets.token_hex(12)}"


def new_call_id() -> str:
    return f"call_{secrets.token_hex(12)}"
