"""The older name of `tfprof.write_op_log`, and op logs without TensorFlow."""
from __future__ import annotations

from ._op_log import serialize, write_op_log

__all__ = ["serialize", "write_op_log"]
