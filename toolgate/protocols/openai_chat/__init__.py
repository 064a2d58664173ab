"""OpenAI chat completions, both sides: JSON and bytes ↔ values, no I/O."""
from __future__ import annotations

from .. import refusal
from . import ids, outgoing, reply, request
from .stream import ReplyReader, ReplyWriter

name = request.NAME
path = "/v1/chat/completions"

new_call_id = ids.new_call_id
model_of = request.model_of
read_request = request.read_request
write_request = outgoing.write_request
reply_reader = ReplyReader
reply_writer = ReplyWriter
read_reply = reply.read_reply
write_reply = reply.write_reply
write_error = reply.write_error
refuses_tools = refusal.refuses_tools
garbled_call = refusal.garbled_call
message_of = reply.message_of

said_in_error = reply.said_in_error
