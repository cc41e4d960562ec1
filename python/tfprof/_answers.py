"""Bounded answers about recordings, for agents: one tool for each of the engine's kinds of reports.

The tools come from the engine's table of kinds, their options from its table of options. Nothing here writes, and
nothing is read beside the folders given. `tfprof.mcp` puts this behind the Model Context Protocol.
"""
from __future__ import annotations

import json
import os
import re
import threading
from collections import OrderedDict
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple

from . import _engine, _options
from ._columns import COLUMNS
from ._folders import Folders, Input, Refused
from ._profile import KINDS, VIEWS

MAX_ROWS = 40
MAX_BYTES = 25_000
_MOST_BYTES = 1_000_000  # that can be asked for
_MOST_DEPTH = 500  # of rows: indentation makes deep trees long
_KEPT_PROFILES, _KEPT_BYTES = 8, 2 << 30  # of inputs that stay loaded
# What writes a file is refused; what is an argument of its own, and other inputs than `paths`, is not needed.
_REFUSED = {"output", "extra_files", "graph_path", "run_meta_path", "op_log_path", "profile_path", "viz",
            "max_rows"}


class Hint(NamedTuple):
    """A question that often comes next."""

    tool: str
    options: Dict[str, Any]
    why: str


_NEXT: Dict[str, List[Hint]] = {
    "summary": [Hint("scope", {}, "which part of the model?"), Hint("memory", {"by": "scope"}, "who holds the memory?"),
                Hint("advise", {}, "what to do about it?")],
    "info": [Hint("summary", {}, "one page about all of it")],
    "scope": [Hint("scope", {"start_name_regexes": ["NAME.*"], "max_depth": 6}, "what is below the row NAME?"),
              Hint("code", {}, "which lines built it?")],
    "graph": [Hint("graph", {"start_name_regexes": [".*NAME"]}, "what does the node NAME depend on?")],
    "op": [Hint("scope", {"account_type_regexes": ["OP"]}, "where are the ops of the type OP?"),
           Hint("kernels", {}, "which kernels run for them? (captures of accelerators)")],
    "code": [Hint("code", {"start_name_regexes": [".*FILE:LINE:.*"], "max_depth": 20}, "what is below that line?")],
    "memory": [Hint("memory", {"by": "code"}, "which lines hold it?"), Hint("advise", {}, "what to do about it?")],
    "kernels": [Hint("op", {}, "which ops are they for?"), Hint("steps", {}, "what bounds the step?")],
    "steps": [Hint("advise", {}, "what to do about it?"), Hint("kernels", {}, "which kernels run?")],
    "advise": [Hint("scope", {}, "which part of the model?"), Hint("steps", {}, "what bounds the step?")],
    "diff": [Hint("diff", {"view": "op"}, "which op types differ?"),
             Hint("diff", {"min_size": "1B", "delta": 0}, "every difference, however small")],
    "history": [Hint("history", {"by": "scope", "last": 0}, "which part moved?")],
    "model": [Hint("model", {"batch": 8}, "with another batch size?"), Hint("scope", {"select": ["params", "float_ops"]},
                                                                            "by name scope")],
    "checkpoint": [Hint("checkpoint", {"values": True, "show_name_regexes": ["NAME"]}, "the values of the tensor NAME?")],
    "oom": [Hint("oom", {"with": "RUN"}, "whose are the chunks? (RUN: a recorded run of the same model)")],
}


class Tool(NamedTuple):
    """What a client is told of a tool."""

    name: str
    description: str
    schema: Dict[str, Any]


def options_of(kind: str) -> List[str]:
    """The options that a tool takes: those of its kind but for how and where to print."""
    table = _options.table()
    return [name for name in KINDS[kind].options if table[name].group != "print" and name not in _REFUSED]


def _of_kind(kind: str) -> Tool:
    about = KINDS[kind]
    paths: Dict[str, Any] = {"type": "array", "items": {"type": "string"}, "minItems": 2 if kind == "diff" else 1,
                             "description": "%s, relative to the server's folders" % about.arguments}
    properties: Dict[str, Any] = {
        "paths": paths,
        # Their names alone: what a client is told of the tools stays small.
        "options": {"type": "object", "description": "explained by the tool help: " + ", ".join(options_of(kind))},
        **_bounds()}
    return Tool(kind, about.summary[0].upper() + about.summary[1:] + ".",
                {"type": "object", "properties": properties, "required": ["paths"], "additionalProperties": False})


def _bounds() -> Dict[str, Any]:
    return {"format": {"type": "string", "enum": ["text", "json"], "default": "text"},
            "max_rows": {"type": "integer", "minimum": 0, "default": MAX_ROWS, "description": "0: all"},
            "max_bytes": {"type": "integer", "minimum": 1000, "maximum": _MOST_BYTES, "default": MAX_BYTES}}


def tools() -> List[Tool]:
    """All tools: one for each kind of report, and two to find one's way."""
    return [*(_of_kind(kind) for kind in KINDS),
            Tool("files", "What a folder holds: recordings are files in it, or folders below it.",
                 {"type": "object", "additionalProperties": False, "properties": {
                     "path": {"type": "string", "default": "."}, **_bounds()}}),
            Tool("help", "The options of a tool, and the columns that views have.",
                 {"type": "object", "additionalProperties": False, "required": ["tool"], "properties": {
                     "tool": {"type": "string", "enum": list(KINDS)}, **_bounds()}})]


class _Loaded:
    """Profiles that stay loaded: the last ones that were asked about, as long as their files do not change."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: "OrderedDict[Any, Tuple[_engine.Profile, List[str], int]]" = OrderedDict()

    def get(self, inputs: List[Input], reading: _options.Pairs) -> Tuple[_engine.Profile, List[str]]:
        key = (tuple((one.path, one.state) for one in inputs), repr(reading))
        with self._lock:
            found = self._kept.pop(key, None)
            if found is None:
                # With all that any kind needs, so that the next question finds it.
                pairs = [("inputs", [one.path for one in inputs]), *reading, ("select", ["float_ops"])]
                handle, notes = _engine.load(pairs, (), True)
                found = (handle, notes, sum(one.size for one in inputs))
            self._kept[key] = found
            while len(self._kept) > _KEPT_PROFILES or (
                    len(self._kept) > 1 and sum(size for _, _, size in self._kept.values()) > _KEPT_BYTES):
                self._kept.popitem(last=False)
            return found[0], found[1]


class Answers:
    """Answers questions about what lies in some folders. Threads may share it."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._loaded = _Loaded()

    def answer(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """The answer, within its bounds. Refused: why there is none; every other problem becomes that too."""
        if tool not in KINDS and tool not in ("files", "help"):
            raise Refused("unknown_tool", "%r is no tool" % tool, "tools: " + ", ".join([*KINDS, "files", "help"]))
        checked = _checked(tool, arguments)
        try:
            if tool == "files":
                return self._files(checked)
            if tool == "help":
                return _bounded(_help(checked["tool"]), checked, "")
            return self._report(tool, checked)
        except _engine.Error as error:
            raise Refused("bad_input", str(error), "the tool info tells what an input holds") from None
        except ValueError as error:
            raise Refused("invalid_argument", str(error), "the tool help lists the options of a tool") from None
        except (MemoryError, RecursionError):
            raise Refused("too_large", "the report is too large or too deep", "ask with max_rows, or as text") from None

    def _report(self, kind: str, arguments: Mapping[str, Any]) -> str:
        inputs = [self._folders.input(path) for path in arguments["paths"]]
        options = dict(arguments["options"])
        table = _options.table()
        for name, value in options.items():
            if name not in options_of(kind):
                raise Refused("invalid_argument", "%s does not take the option %r" % (kind, name),
                              "its options: " + ", ".join(options_of(kind)))
            if table[name].is_path and isinstance(value, str) and value:
                options[name] = self._folders.input(value).path
            if name in ("run", "host") and isinstance(value, str) and ("/" in value or ".." in value):
                raise Refused("path_refused", "%r is no name of a run or host" % value)
        handle: Optional[_engine.Profile] = None
        notes: List[str] = []
        if KINDS[kind].loads:
            reading = [pair for pair in _options.to_pairs(options) if table[pair[0]].group == "input"]
            handle, notes = self._loaded.get(inputs, reading)
            if kind in VIEWS:
                options = {**_defaults(kind, handle), **options}
        # More rows than the answer has room for are not made.
        rows = min(arguments["max_rows"] or _MOST_BYTES, arguments["max_bytes"] // 8)
        if "top" in options_of(kind):
            options.setdefault("top", rows)
        if isinstance(options.get("max_depth"), int):
            options["max_depth"] = min(options["max_depth"], _MOST_DEPTH)
        pairs = [*_options.to_pairs(options), ("max_rows", str(rows))]
        if handle is None:
            pairs = [("inputs", [one.path for one in inputs]), *pairs]
        document, warnings, more = _engine.make(kind, handle, pairs, (), False)  # without each row's list of nodes
        rendered = _engine.render(document, arguments["format"]).decode("utf-8", "replace")
        told = [text for text in [*notes, *more] if not text.startswith("reading ")]
        tail = [*("Warning: " + text for text in warnings), *("Note: " + text for text in told[:8])]
        if re.search(r'^ *\.\.\. (and )?[\d,]+ more|"left_out":\{"rows":[1-9]', rendered, re.MULTILINE):
            tail.append("More rows: ask again with max_rows=%d (0: all), or narrow it with options" % (
                5 * arguments["max_rows"]))
        tail += _next(kind, arguments["paths"])
        return _bounded(rendered, arguments, "\n".join(tail))

    def _files(self, arguments: Mapping[str, Any]) -> str:
        given = arguments.get("path", ".")
        real = self._folders.real(given)
        try:
            entries = sorted(os.scandir(real), key=lambda entry: entry.name)
        except OSError as error:
            raise Refused("not_found", "%r: %s" % (given, error.strerror)) from None
        rows: List[Dict[str, Any]] = []
        for entry in entries:
            name = json.dumps(entry.name, ensure_ascii=False)[1:-1].encode("utf-8", "replace").decode("utf-8")
            if entry.is_dir():
                rows.append({"name": name + "/"})
            elif entry.is_file():
                rows.append({"name": name, "bytes": entry.stat().st_size})
        left = len(rows) - (arguments["max_rows"] or len(rows))
        rows = rows[:len(rows) - max(0, left)]
        if arguments["format"] == "json":
            return _bounded(json.dumps({"path": given, "files": rows, "left_out": {"rows": max(0, left)}}), arguments, "")
        text = "\n".join("%s  %s bytes" % (row["name"], format(row["bytes"], ",")) if "bytes" in row else str(row["name"])
                         for row in rows) or "(nothing)"
        if left > 0:
            text += "\n... and %d more: ask again with a larger max_rows (0: all)" % left
        return _bounded(text, arguments, 'Next: info {"paths": ["NAME"]}: what does it hold?')


def _checked(tool: str, arguments: Mapping[str, Any]) -> Dict[str, Any]:
    """The arguments with their defaults. Refused: one is unknown or of the wrong type."""
    schema = next(one.schema for one in tools() if one.name == tool)
    properties = schema["properties"]
    for name in arguments:
        if name not in properties:
            raise Refused("invalid_argument", "%s has no argument %r" % (tool, name),
                          "its arguments: %s" % ", ".join(properties))
    for name in schema.get("required", ()):
        if arguments.get(name) is None:
            raise Refused("invalid_argument", "%s needs the argument %r" % (tool, name))
    out = {name: about["default"] for name, about in properties.items() if "default" in about}
    if "options" in properties:
        out["options"] = {}
    out.update((name, value) for name, value in arguments.items() if value is not None)
    for name, value in out.items():
        _check(name, value, properties[name])
    return out


def _check(name: str, value: Any, schema: Mapping[str, Any]) -> None:
    kinds: Dict[str, Any] = {"string": str, "integer": int, "array": list, "object": dict}
    if not isinstance(value, kinds[schema["type"]]) or isinstance(value, bool):
        raise Refused("invalid_argument", "%s: %s is needed" % (name, schema["type"]))
    if isinstance(value, list) and not all(isinstance(item, str) for item in value):
        raise Refused("invalid_argument", "%s: only strings are paths" % name)
    if "enum" in schema and value not in schema["enum"]:
        raise Refused("invalid_argument", "%s: one of %s is needed" % (name, ", ".join(schema["enum"])))
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        raise Refused("invalid_argument", "%s: out of range" % name)
    if isinstance(value, list) and not schema.get("minItems", 0) <= len(value) <= 32:
        raise Refused("invalid_argument", "%s: %d to 32 are needed" % (name, schema.get("minItems", 0)))


def _defaults(kind: str, handle: _engine.Profile) -> Dict[str, Any]:
    """What a view shows unless told otherwise: the figures that the input has; of call stacks the user's own lines."""
    document, _, _ = _engine.make("info", handle, [], ())
    coverage = json.loads(_engine.render(document, "json")).get("coverage") or {}
    columns = [name for name, key in (("micros", "micros"), ("bytes", "nodes_with_memory"),
                                      ("params", "nodes_with_params"), ("float_ops", "nodes_with_float_ops"))
               if coverage.get(key)] or ["params"]
    return {"select": columns, **({"frames": "user"} if kind == "code" else {})}


def _help(kind: str) -> str:
    table = _options.table()
    lines = ["%s: %s" % (kind, KINDS[kind].summary), "", "options:"]
    for name in options_of(kind):
        about = table[name]
        lines.append("  %s (%s%s): %s" % (name, about.kind, ", default " + about.default if about.default else "", about.help))
    if kind in VIEWS:
        lines += ["", "columns, for select and order_by:"]
        lines += ["  %s: %s" % (column.name, column.label) for column in COLUMNS]
    return "\n".join(lines)


def _next(kind: str, paths: List[str]) -> List[str]:
    out = []
    for hint in _NEXT.get(kind, [Hint("summary", {}, "one page about all of it")]):
        call: Dict[str, Any] = {"paths": paths if hint.tool == kind else paths[:1]}
        if hint.options:
            call["options"] = hint.options
        out.append("Next: %s %s: %s" % (hint.tool, json.dumps(call, ensure_ascii=False), hint.why))
    return out


def _bounded(report: str, arguments: Mapping[str, Any], tail: str) -> str:
    """The report with what goes with it, cut to the bytes that were asked for; it says what was left out."""
    size = arguments["max_bytes"]
    tail = _cut(tail, size // 3)
    if arguments["format"] == "json":
        return _bounded_json(json.loads(report) if report[:1] == "{" else {"text": report}, size, tail)
    lines = report.rstrip("\n").split("\n")
    room = size - len(tail.encode()) - 200
    count = length = 0
    while count < len(lines) and length + len(lines[count].encode()) < room:
        length += len(lines[count].encode()) + 1
        count += 1
    text = "\n".join(lines[:count]) if count else _cut(lines[0], room)
    if count < len(lines):
        text += "\n... and %s more lines: ask again with max_bytes=%d, or narrow it with options" % (
            format(len(lines) - count, ","), min(_MOST_BYTES, 4 * size))
    return text + ("\n\n" + tail if tail else "")


def _bounded_json(report: Any, size: int, tail: str) -> str:
    longest = 1 << 20  # of a list
    while True:
        left_out: Dict[str, int] = {}
        answer: Dict[str, Any] = {"report": _first(report, longest, "", left_out)}
        if left_out:
            answer["cut"] = dict(sorted(left_out.items(), key=lambda item: -item[1])[:20])
            answer["more"] = "items of these lists are left out: ask again with a larger max_bytes, or narrow it with options"
        if tail:
            answer["notes"] = tail.split("\n")
        text = json.dumps(answer, ensure_ascii=False)
        if len(text.encode("utf-8", "replace")) <= size:
            return text
        if longest == 0:
            return json.dumps({"cut": {"report": 1}, "more": "the report is larger than max_bytes; ask for more"})
        longest = min(longest // 2, 256)


def _first(value: Any, longest: int, path: str, left_out: Dict[str, int]) -> Any:
    """The value with at most so many items in each list; the others are counted by their place."""
    if isinstance(value, dict):
        return {key: _first(item, longest, path + "." + key if path else key, left_out) for key, item in value.items()}
    if isinstance(value, list):
        if len(value) > longest:
            left_out[path] = left_out.get(path, 0) + len(value) - longest
        return [_first(item, longest, path, left_out) for item in value[:longest]]
    return value


def _cut(text: str, size: int) -> str:
    data = text.encode("utf-8", "replace")
    return data.decode() if len(data) <= size else data[:max(0, size - 3)].decode("utf-8", "ignore") + "..."
