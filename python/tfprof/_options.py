"""Options as dicts: every key and type is checked against the engine's table of options."""
from __future__ import annotations

from functools import lru_cache
from typing import Any, Dict, List, Mapping, NamedTuple, Sequence, Tuple, Union

from . import _engine
from ._columns import names_needing

Pairs = List[Tuple[str, Union[str, Sequence[str]]]]

# Spellings of other documentation, as what they mean.
_MEMORY_COLUMNS = names_needing("memory")
_EXTRA = {"show_memory": "bool", "show_input_output": "bool", "checkpoint_path": "str"}
_NOT_HERE = {"graph_path", "run_meta_path", "op_log_path", "profile_path", "format", "outfile", "color", "defuse",
             "pager"}


class Option(NamedTuple):
    """A row of the engine's table."""

    group: str  # input, view, command, print
    kind: str  # bool, int, float, size, list, str
    words: List[str]  # that it knows
    default: str
    is_path: bool
    help: str


@lru_cache(maxsize=None)
def table() -> Dict[str, Option]:
    """The engine's options by name."""
    return {row[0]: Option(*row[1:]) for row in _engine.options()}


def known_keys() -> List[str]:
    """The keys that an options dict may have."""
    return sorted((set(table()) - _NOT_HERE) | set(_EXTRA))


def _kind_of(key: str) -> str:
    if key in _EXTRA:
        return _EXTRA[key]
    if key not in table() or key in _NOT_HERE:
        import difflib
        near = difflib.get_close_matches(key, known_keys(), 1)
        raise ValueError("unknown option %r%s" % (key, "; did you mean %r?" % near[0] if near else ""))
    return table()[key].kind


def _wrong(key: str, value: object, wanted: str) -> ValueError:
    return ValueError("option %r: %r is no %s" % (key, value, wanted))


def _is_int(value: object) -> bool:
    if isinstance(value, bool):
        return False
    try:
        return int(value) == value  # type: ignore[call-overload, no-any-return]  # numpy's integers too
    except (TypeError, ValueError, OverflowError):
        return False


def _text_list(key: str, value: object) -> List[str]:
    if isinstance(value, str):
        return [part for part in value.split(",") if part]
    if not isinstance(value, (list, tuple, set, frozenset)) or not all(isinstance(item, str) for item in value):
        raise _wrong(key, value, "list of str")
    return list(value)


def steps_text(value: object, key: str = "step") -> str:
    """Steps as the engine takes them: an int, several, a range, or text as '5,10', '5-20', 'all'."""
    if isinstance(value, str):
        return value
    if _is_int(value):
        return str(int(value))  # type: ignore[call-overload]
    if isinstance(value, range) and value.step == 1 and len(value) > 1:
        return "%d-%d" % (value[0], value[-1])
    several = isinstance(value, (list, tuple, set, frozenset, range)) and value
    if not several or not all(_is_int(step) and step >= 0 for step in value):  # type: ignore[attr-defined]
        raise _wrong(key, value, "step: an int, several of them, or text as '5,10', '5-20', 'all'")
    return ",".join(str(int(step)) for step in sorted(value))  # type: ignore[call-overload]


def _text_of(key: str, kind: str, value: object) -> Union[str, List[str]]:
    if kind == "bool":
        if not isinstance(value, bool) and not (_is_int(value) and value in (0, 1)):
            raise _wrong(key, value, "bool")
        return "true" if value else "false"
    if kind == "int":
        if not _is_int(value):
            raise _wrong(key, value, "int")
        return str(int(value))  # type: ignore[call-overload]
    if kind == "steps":
        return steps_text(value, key)
    if kind == "float":
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise _wrong(key, value, "float")
        return repr(value)
    if kind == "size" and _is_int(value):
        return "%dB" % value  # type: ignore[str-format]
    if kind == "list":
        return _text_list(key, value)
    if not isinstance(value, str):
        raise _wrong(key, value, "str")
    return value


def to_pairs(options: Mapping[str, Any]) -> Pairs:
    """Checks a dict of options and gives what the engine takes. ValueError: an unknown key, a wrong type."""
    if not isinstance(options, Mapping):
        raise ValueError("options: %r is no dict; ProfileOptionBuilder makes one" % (options,))
    pairs: Pairs = []
    select: List[str] = []
    for key, value in options.items():
        if not isinstance(key, str):
            raise ValueError("unknown option %r" % (key,))
        kind = _kind_of(key)
        text = _text_of(key, kind, value)
        if key == "select":
            select += text
        elif key == "show_memory":
            select += _MEMORY_COLUMNS if value else ()
        elif key == "show_input_output":
            select += ["input_shapes"] if value else []
        elif key == "output" and value != "none":
            continue  # the package prints; see destination()
        else:
            pairs.append((key, text))
    if select:
        pairs.append(("select", [*dict.fromkeys(select)]))
    return pairs


def destination(options: Mapping[str, Any]) -> Tuple[str, str]:
    """Where the report goes: ('stdout' | 'none' | 'file' | 'timeline' | 'pprof' | 'folded', file)."""
    where = options.get("output", "stdout")
    if options.get("dump_to_file"):
        where = "file:outfile=%s" % options["dump_to_file"]
    if not isinstance(where, str):
        raise _wrong("output", where, "str")
    kind, _, rest = where.partition(":")
    if kind in ("stdout", "none") and not rest:
        return kind, ""
    if kind not in ("file", "timeline", "pprof", "folded") or not rest.startswith("outfile=") or rest == "outfile=":
        raise ValueError("option 'output': %r is not one of stdout, none, file:outfile=FILE, timeline:outfile=FILE, "
                         "pprof:outfile=FILE, folded:outfile=FILE" % where)
    return kind, rest[len("outfile="):]
