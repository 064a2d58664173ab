"""Calls as Python writes them: Llama 4's list, and Gemma's `tool_code` fence."""
from __future__ import annotations

import ast
import json
import re

from ..damage import Unreadable
from ..shapes import Said
from ..until import UntilBracket
from .dialect import Dialect

WORDS = {"true": True, "false": False, "null": None}
BEGINS = re.compile(r"\[(?=\s*(?P<name>[A-Za-z_][\w.]*)\()")
MAY_BEGIN = re.compile(r"\[\s*(?:[A-Za-z_][\w.]*)?\Z")


def listed(body: str, name: str, closed: bool) -> list[Said]:
    """Without the opening bracket, which the header has taken."""
    tree = _tree(f"[{body}", "eval")
    assert isinstance(tree, ast.Expression)
    if not isinstance(tree.body, ast.List):
        raise Unreadable("it is no list of calls")
    return [_call(one) for one in tree.body.elts]


def in_code(body: str, name: str, closed: bool) -> list[Said]:
    """The calls of a `tool_code` block: each a statement, or in `print`; any other code is no call."""
    try:
        tree = _tree(body.rstrip("`~ \n"), "exec")
        statements = tree.body if isinstance(tree, ast.Module) else []
        return [_call(_printed(one.value)) for one in statements if isinstance(one, ast.Expr)]
    except Unreadable:
        return []


def _printed(value: ast.expr) -> ast.expr:
    match value:
        case ast.Call(func=ast.Name(id="print"), args=[inner]):
            return inner
    return value


def _tree(code: str, mode: str) -> ast.AST:
    try:
        return ast.parse(code, mode=mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(f"it is no Python: {error}") from error


def _call(node: ast.expr) -> Said:
    if not isinstance(node, ast.Call) or node.args or any(one.arg is None for one in node.keywords):
        raise Unreadable("a call needs a name and named arguments")
    told = {str(one.arg): _value(one.value) for one in node.keywords}
    return Said(ast.unparse(node.func), json.dumps(told, ensure_ascii=False), True, ("python",))


def _value(node: ast.expr) -> object:
    match node:
        case ast.Name(id=word) if word in WORDS:
            return WORDS[word]
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item) for item in items]
        case ast.Dict(keys=keys, values=values):
            return {str(_value(key)): _value(value) for key, value in zip(keys, values, strict=True) if key is not None}
    try:
        value = ast.literal_eval(node)
        json.dumps(value)
    except (ValueError, TypeError, RecursionError) as error:
        raise Unreadable("an argument is no plain value") from error
    return value


PYTHONIC = Dialect("pythonic", ("[",), BEGINS, listed, lambda match: UntilBracket(), line=True)
TOOL_CODE = Dialect("tool_code", (), BEGINS, in_code)
