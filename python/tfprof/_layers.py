"""Layers of Keras models as frames of call stacks.

A stack of a model that was made of ready layers ends, for its owner, at `model.fit`: all below is Keras' own code. The
layer goes on from there: a frame whose file is the model, whose line is the layer's number in it, and whose function
is the layer's name, as in `sequential:2:dense_1:Dense`.
"""
from __future__ import annotations

import re
from typing import Any, Dict, Iterable, List, Tuple

Frame = Tuple[Any, ...]  # file, line, function, and the source text where no file has it


def _is_library(file: str) -> bool:
    parts = ("site-packages/", "dist-packages/", "/lib/python")
    return file.startswith("<frozen") or any(part in file for part in parts)


class Layers:
    """The layers of models, by the scopes that their ops have."""

    def __init__(self, models: Iterable[Any]) -> None:
        self._frames: Dict[str, Frame] = {}
        for model in models:
            if not hasattr(model, "layers") or not hasattr(model, "name"):
                continue
            self._add(model)
            optimizer = getattr(model, "optimizer", None)
            if optimizer is not None:
                name = str(getattr(optimizer, "name", "optimizer"))
                self._frames.setdefault(name, (str(model.name), 0, name, type(optimizer).__name__))
            self._frames.setdefault("compile_loss", (str(model.name), 0, "loss", "the loss"))

    def _add(self, model: Any) -> None:
        pending = [model]
        while pending:
            owner = pending.pop()
            for number, layer in enumerate(owner.layers, 1):
                known = len(self._frames)
                self._frames.setdefault(str(layer.name), (str(owner.name), number, str(layer.name),
                                                          type(layer).__name__))
                if getattr(layer, "layers", None) and len(self._frames) > known:
                    pending.append(layer)

    def __bool__(self) -> bool:
        return bool(self._frames)

    def of(self, node: str) -> List[Frame]:
        """The layers that a node is in, the outermost first."""
        found: List[Frame] = []
        for part in node.split("/")[:-1]:
            # TensorFlow numbers scopes of one name: dense_1_2 is of the layer dense_1.
            frame = self._frames.get(re.sub(r"_\d+$", "", part)) or self._frames.get(part)
            if frame is not None and frame not in found:
                found.append(frame)
        return found

    def insert(self, stack: List[Frame], node: str) -> List[Frame]:
        """The stack with the node's layers behind its innermost frame of the user's own code."""
        layers = self.of(node) if stack else []
        if not layers:
            return stack
        user = max((place for place, frame in enumerate(stack) if not _is_library(frame[0])), default=-1) + 1
        return [*stack[:user], *layers, *stack[user:]]
