"""ProfileOptionBuilder: options without knowing their keys."""
from __future__ import annotations

import copy
from typing import Any, Dict, List, Mapping, Optional

Options = Dict[str, Any]

_EVERYTHING: Options = {
    "max_depth": 10000, "min_bytes": 0, "min_micros": 0, "min_params": 0, "min_float_ops": 0, "min_occurrence": 0,
    "order_by": "name", "account_type_regexes": [".*"], "start_name_regexes": [".*"], "trim_name_regexes": [],
    "show_name_regexes": [".*"], "hide_name_regexes": [], "account_displayed_op_only": False, "select": ["micros"],
    "step": -1, "output": "stdout",
}


def _made(**changes: Any) -> Options:
    return {**copy.deepcopy(_EVERYTHING), **changes}


class ProfileOptionBuilder:
    """Builds the options of a report; every method but `build` returns the builder.

    >>> from tfprof import ProfileOptionBuilder
    >>> builder = ProfileOptionBuilder(ProfileOptionBuilder.time_and_memory())
    >>> options = builder.with_min_execution_time(min_micros=100).order_by('bytes').with_empty_output().build()
    >>> options['min_micros'], options['order_by'], options['output']
    (100, 'bytes', 'none')
    """

    def __init__(self, options: Optional[Mapping[str, Any]] = None) -> None:
        self._options: Options = copy.deepcopy(dict(options)) if options is not None else _made(max_depth=100)

    @staticmethod
    def trainable_variables_parameter() -> Options:
        """Parameters of the trainable variables, by scope."""
        return _made(account_type_regexes=["_trainable_variables"], account_displayed_op_only=True,
                     select=["params"])

    @staticmethod
    def float_operation() -> Options:
        """Float ops, the largest first."""
        return _made(min_float_ops=1, order_by="float_ops", account_displayed_op_only=True, select=["float_ops"])

    @staticmethod
    def time_and_memory(min_micros: int = 1, min_bytes: int = 1, min_accelerator_micros: int = 0,
                        min_cpu_micros: int = 0, min_peak_bytes: int = 0, min_residual_bytes: int = 0,
                        min_output_bytes: int = 0) -> Options:
        """Time and requested memory of what took at least so much of each."""
        return _made(min_bytes=min_bytes, min_peak_bytes=min_peak_bytes, min_residual_bytes=min_residual_bytes,
                     min_output_bytes=min_output_bytes, min_micros=min_micros,
                     min_accelerator_micros=min_accelerator_micros, min_cpu_micros=min_cpu_micros,
                     order_by="micros", account_displayed_op_only=True, select=["micros", "bytes"])

    def _with(self, **changes: Any) -> "ProfileOptionBuilder":
        self._options.update(changes)
        return self

    def with_max_depth(self, max_depth: int) -> "ProfileOptionBuilder":
        """Show rows up to this depth."""
        return self._with(max_depth=max_depth)

    def with_min_memory(self, min_bytes: int = 0, min_peak_bytes: int = 0, min_residual_bytes: int = 0,
                        min_output_bytes: int = 0) -> "ProfileOptionBuilder":
        """Show rows with at least this much memory."""
        return self._with(min_bytes=min_bytes, min_peak_bytes=min_peak_bytes, min_residual_bytes=min_residual_bytes,
                          min_output_bytes=min_output_bytes)

    def with_min_execution_time(self, min_micros: int = 0, min_accelerator_micros: int = 0,
                                min_cpu_micros: int = 0) -> "ProfileOptionBuilder":
        """Show rows that took at least so long."""
        return self._with(min_micros=min_micros, min_accelerator_micros=min_accelerator_micros,
                          min_cpu_micros=min_cpu_micros)

    def with_min_parameters(self, min_params: int) -> "ProfileOptionBuilder":
        """Show rows with at least so many parameters."""
        return self._with(min_params=min_params)

    def with_min_occurrence(self, min_occurrence: int) -> "ProfileOptionBuilder":
        """Show nodes that ran at least so often."""
        return self._with(min_occurrence=min_occurrence)

    def with_min_float_operations(self, min_float_ops: int) -> "ProfileOptionBuilder":
        """Show rows with at least so many float ops."""
        return self._with(min_float_ops=min_float_ops)

    def with_min(self, **minima: int) -> "ProfileOptionBuilder":
        """Show rows with at least so much of any figure: `with_min(macs=1000, moved_bytes=1)`."""
        return self._with(**{"min_" + column: least for column, least in minima.items()})

    def with_accounted_types(self, account_type_regexes: List[str]) -> "ProfileOptionBuilder":
        """Count only nodes one of whose types (op, device, `_trainable_variables`...) matches."""
        return self._with(account_type_regexes=copy.copy(account_type_regexes))

    def with_node_names(self, start_name_regexes: Optional[List[str]] = None,
                        show_name_regexes: Optional[List[str]] = None,
                        hide_name_regexes: Optional[List[str]] = None,
                        trim_name_regexes: Optional[List[str]] = None) -> "ProfileOptionBuilder":
        """Begin at, show, hide, or cut below rows whose whole name matches; None leaves what was set."""
        given = {"start_name_regexes": start_name_regexes, "show_name_regexes": show_name_regexes,
                 "hide_name_regexes": hide_name_regexes, "trim_name_regexes": trim_name_regexes}
        return self._with(**{key: copy.copy(value) for key, value in given.items() if value is not None})

    def account_displayed_op_only(self, is_true: bool) -> "ProfileOptionBuilder":
        """Whether totals count only what is shown."""
        return self._with(account_displayed_op_only=is_true)

    def with_empty_output(self) -> "ProfileOptionBuilder":
        """Print nothing."""
        return self._with(output="none")

    def with_stdout_output(self) -> "ProfileOptionBuilder":
        """Print the report."""
        return self._with(output="stdout")

    def with_file_output(self, outfile: str) -> "ProfileOptionBuilder":
        """Write the report to a file."""
        return self._with(output="file:outfile=%s" % outfile)

    def with_timeline_output(self, timeline_file: str) -> "ProfileOptionBuilder":
        """Write a timeline that chrome://tracing and Perfetto open."""
        return self._with(output="timeline:outfile=%s" % timeline_file)

    def with_pprof_output(self, pprof_file: str) -> "ProfileOptionBuilder":
        """Write a file for pprof; of the code view."""
        return self._with(output="pprof:outfile=%s" % pprof_file)

    def order_by(self, attribute: str) -> "ProfileOptionBuilder":
        """Sort by name, depth, or a figure: micros, bytes, params, float_ops, occurrence..."""
        return self._with(order_by=attribute)

    def select(self, attributes: List[str]) -> "ProfileOptionBuilder":
        """Columns: bytes, micros, params, float_ops, device, op_types, occurrence, input_shapes..."""
        return self._with(select=copy.copy(attributes))

    def with_step(self, step: int) -> "ProfileOptionBuilder":
        """Report on one step; -1 is the mean of all."""
        return self._with(step=step)

    def build(self) -> Options:
        """The options as a dict, which later calls do not change."""
        return copy.deepcopy(self._options)
