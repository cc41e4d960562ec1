"""`tfprof mcp FOLDER...`: a server of the Model Context Protocol that answers questions about recordings.

It speaks over standard input and output, through the official SDK (`pip install 'tfprof[mcp]'`). It only reads, and only
what lies in the folders given.
"""
from __future__ import annotations

import json
import logging
import sys
from typing import Any, List, Sequence

from . import _engine
from ._answers import Answers, tools
from ._folders import Folders, Refused

_USAGE = """Usage: tfprof mcp FOLDER...

Answers questions about recordings in these folders, for agents: a server of the Model Context Protocol over standard
input and output. It writes nothing and reads nothing beside the folders. docs/mcp.md tells how to give it to a client.
"""
_INSTRUCTIONS = """Profiles of TensorFlow and JAX programs. `files` lists what can be asked about; begin with `summary`, or
with `oom` for a log of an allocation that failed. Answers are cut to max_rows and max_bytes and say what was left out."""


def _server(answers: Answers) -> Any:
    import anyio
    import mcp_types as types
    from mcp.server.lowlevel import Server

    listed = [types.Tool(name=tool.name, description=tool.description, input_schema=tool.schema,
                         annotations=types.ToolAnnotations(read_only_hint=True, destructive_hint=False,
                                                           idempotent_hint=True, open_world_hint=False))
              for tool in tools()]

    def result(text: str, failed: bool) -> Any:
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=failed)

    async def list_tools(context: Any, parameters: Any) -> Any:
        return types.ListToolsResult(tools=listed)

    async def call_tool(context: Any, parameters: Any) -> Any:
        try:
            text = await anyio.to_thread.run_sync(answers.answer, parameters.name, parameters.arguments or {})
            return result(text, False)
        except Refused as refused:
            error = {"code": refused.code, "message": refused.message[:2000]}
            if refused.hint:
                error["hint"] = refused.hint[:2000]
        except Exception as problem:  # the client gets no traceback; standard error does
            logging.getLogger("tfprof").exception("%s", parameters.name)
            error = {"code": "internal", "message": "this is a bug of tfprof (%s)" % type(problem).__name__}
        return result(json.dumps({"error": error}), True)

    return Server("tfprof", version=_engine.version, instructions=_INSTRUCTIONS, on_list_tools=list_tools,
                  on_call_tool=call_tool)


def main(arguments: Sequence[str]) -> int:
    """Serves until the client closes standard input. The exit status is that of `tfprof`."""
    folders: List[str] = [word for word in arguments if not word.startswith("-")]
    if any(word in ("-h", "-help", "--help") for word in arguments):
        sys.stdout.write(_USAGE)
        return 0
    unknown = [word for word in arguments if word.startswith("-")]
    try:
        if unknown:
            raise ValueError("unknown option %s" % unknown[0])
        answers = Answers(Folders(folders))
    except ValueError as error:
        sys.stderr.write("tfprof mcp: %s\n\n%s" % (error, _USAGE))
        return 2
    try:
        import anyio
        from mcp.server.stdio import stdio_server
        server = _server(answers)
    except ImportError as error:
        sys.stderr.write("tfprof mcp: %s. It needs the SDK of the Model Context Protocol: pip install 'tfprof[mcp]'\n" % error)
        return 2

    async def serve() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    try:
        anyio.run(serve)
    except KeyboardInterrupt:
        pass
    return 0
