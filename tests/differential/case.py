"""One case: an input and what is asked about it."""
import random
from dataclasses import dataclass, field
from typing import Any

from . import options
from .inputs import InputMaker


@dataclass
class Query:
    view: str  # scope, graph, op, code, advise
    options: dict


@dataclass
class Case:
    seed: str
    graph: Any  # GraphDef
    steps: list  # (number, RunMetadata)
    op_log: Any  # OpLogProto or None
    live: bool = False  # through a tf.Graph, as programs do; else the messages as they are
    queries: list = field(default_factory=list)


def make(seed):
    """The case of a seed, always the same."""
    rng = random.Random('tfprof differential %s' % seed)
    maker = InputMaker(rng)
    graph = maker.graph()
    case = Case(seed, graph, maker.steps(), maker.op_log())
    for view in options.VIEWS:
        for _ in range(rng.choice((1, 1, 2))):
            case.queries.append(Query(view, options.options(rng, case, view)))
    if case.steps and rng.random() < .3:
        case.queries.append(Query('advise', {}))
    return case
