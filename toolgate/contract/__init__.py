"""What a chat-only model is told: its tools, how to call them, what it called and what came back."""
