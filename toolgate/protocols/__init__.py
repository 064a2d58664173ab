"""The wire protocols that toolgate speaks, to clients and to model servers."""
from __future__ import annotations

from ..codec import Codec
from . import openai_chat

CODECS: dict[str, Codec] = {codec.name: codec for codec in (openai_chat,)}
