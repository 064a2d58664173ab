"""Real servers' wordings: who takes no tools, and whose request was wrong."""
import pytest

from toolgate.protocols.refusal import garbled_call, refuses_tools


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, '{"object":"error","message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","code":400}'),
        (500, '{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}'),
        (400, '{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error"}}'),
        (400, '{"error":"deepseek-reasoner does not support Function Calling"}'),
        (404, '{"error":{"message":"No endpoints found that support tool use. Try disabling tools.","code":404}}'),
        (400, '{"error":{"message":"`tool calling` is not supported with this model","type":"invalid_request_error"}}'),
        (400, '{"error":{"message":"Unrecognized request argument supplied: tools"}}'),
        (422, '{"detail":[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}'),
        (400, '{"error":{"message":"Unsupported parameter: \'tools\' is not supported with this model."}}'),
        (400, '{"message":"This model doesn\'t support tool use."}'),
        (501, '{"error":{"message":"tools are not supported"}}'),
        (400, '{"error":{"message":"a chat-only model takes no tools"}}'),
        (400, '{"error":{"message":"tool_choice is not supported"}}'),
    ],
)
def test_takes_no_tools(status, body):
    assert refuses_tools(status, body)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, '{"error":{"message":"Invalid schema for function \'x\': schema must be of type object","param":"tools[0].function.parameters"}}'),
        (400, '{"error":{"message":"Invalid \'tools[3].function.name\': string does not match pattern.","type":"invalid_request_error"}}'),
        (400, '{"error":{"message":"tools.0.custom.input_schema: JSON schema is invalid"}}'),
        (400, '{"error":{"message":"An assistant message with \'tool_calls\' must be followed by tool messages responding to each \'tool_call_id\'."}}'),
        (401, '{"error":{"message":"tools are not supported for this key"}}'),
        (429, '{"error":{"message":"tools are not supported right now"}}'),
        (400, '{"error":{"message":"temperature must be between 0 and 2"}}'),
        (500, '{"error":{"message":"out of memory"}}'),
        (400, "<html>the tools page</html>"),
    ],
)
def test_somebody_elses_fault(status, body):
    assert not refuses_tools(status, body)


@pytest.mark.parametrize(
    ("body", "garbled"),
    [
        ('{"error":{"code":500,"message":"Failed to parse tool call arguments as JSON: [json.exception.parse_error.101]"}}', True),
        ('{"error":{"message":"Failed to call a function. Please adjust your prompt.","code": "tool_use_failed"}}', True),
        ('{"error":{"message":"tools are not supported"}}', False),
        ('{"error":{"message":"Failed to parse the request body"}}', False),
    ],
)
def test_a_call_that_the_server_could_not_read(body, garbled):
    assert garbled_call(body) is garbled
