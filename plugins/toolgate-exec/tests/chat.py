"""A chat program: calls a tool where one may be called, answers when its result is there."""
import sys

asked = sys.stdin.read()
last = asked.rpartition("\nUser:\n")[2].removesuffix("\n\nAssistant:\n")
if "```json action" not in asked:
    print(f"You said: {last}")
elif "Tool result" in last:
    print("It is sunny in Oslo, the tool says.")
else:
    print("Let me look.\n\n```json action")
    print('{"tool": "get_weather", "parameters": {"city": "Oslo"}}')
    print("```")
