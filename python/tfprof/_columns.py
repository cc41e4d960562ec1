"""The engine's catalogue of columns: the package has no list of them."""
from __future__ import annotations

from typing import Dict, List, NamedTuple

from . import _engine


class Column(NamedTuple):
    """One column: a figure's place in the catalogue is its place in the engine's arrays."""

    name: str
    label: str
    kind: str  # figure, rate, number, text, tensor, place
    unit: str  # bytes, micros, count
    needs: str  # graph, runs, times, memory, float_ops, counted_ops, checkpoint
    own: str  # its field of a node; "": it has none
    total: str
    when: str  # always, nodes (not in rows of op types and lines), selected
    always_known: bool


COLUMNS: List[Column] = [Column(*column) for column in _engine.columns()]
FIGURES: List[Column] = [column for column in COLUMNS if column.kind == "figure"]
INDEX: Dict[str, int] = {column.name: index for index, column in enumerate(COLUMNS)}


def names_needing(*needs: str) -> List[str]:
    """The columns that rest on one of these, by name."""
    return [column.name for column in COLUMNS if column.needs in needs]
