"""One case: an input and what is asked about it."""
import random
from dataclasses import dataclass, field
from typing import Any

from . import options
from .inputs import InputMaker
from .live import LiveMaker

LIVE = .1  # of the cases


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
    live = rng.random() < LIVE
    maker = (LiveMaker if live else InputMaker)(rng)
    graph = maker.graph()
    # Own call stacks in the op log of a live graph: TensorFlow mixes up their strings with those that it adds.
    case = Case(seed, graph, maker.steps(), maker.op_log(traces=not live), live)
    for view in options.VIEWS:
        for _ in range(rng.choice((1, 1, 2))):
            case.queries.append(Query(view, options.options(rng, case, view)))
    if case.steps and rng.random() < .3:
        case.queries.append(Query('advise', {}))
    return case
