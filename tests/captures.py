"""The requests that real clients sent, as `../shared/captures` holds them."""
import json

from needs import SHARED

NO_SECOND_CHOICE = "sdk-openai-chat__07"
CHAT = [c for c in (json.loads(f.read_text()) for f in sorted((SHARED / "captures").glob("*__*.json")))
        if c["path"].startswith("/v1/chat/completions")]


def name_of(capture):
    return f"{capture['client']}__{capture['turn']}"
