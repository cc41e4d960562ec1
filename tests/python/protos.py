"""Results of both profilers as plain values, without recursion: the op view's chain is as long as it has rows."""

FIGURES = ('exec_micros', 'accelerator_exec_micros', 'cpu_exec_micros', 'requested_bytes', 'peak_bytes',
           'residual_bytes', 'output_bytes', 'parameters', 'float_ops')
MANY = [name for figure in FIGURES for name in (figure, 'total_' + figure)]
ONE = MANY + ['run_count', 'total_run_count', 'total_definition_count']


def shape(proto):
    return 'unknown' if proto.unknown_rank else tuple(dim.size for dim in proto.dim)


def graph_node(node):
    return (node.name, tuple(getattr(node, name) for name in ONE), tuple(node.devices),
            tuple(sorted((position, shape(proto)) for position, proto in node.input_shapes.items())))


def multi_node(node):
    return (node.name, tuple(getattr(node, name) for name in MANY),
            tuple(graph_node(one) for one in node.graph_nodes))


def rows(root, view):
    """(depth, fields) of every node in order."""
    read = multi_node if view in ('op', 'code') else graph_node
    pending, out = [(0, root)], []
    while pending:
        depth, node = pending.pop()
        out.append((depth, read(node)))
        pending.extend((depth + 1, child) for child in reversed(list(node.children)))
    return out


def first_difference(want, got):
    """None where they are equal, else what differs first."""
    if want == got:
        return None
    for index, (a, b) in enumerate(zip(want, got)):
        if a != b:
            return 'row %d: want %.600r got %.600r' % (index, a, b)
    return '%d rows, want %d; first more: %.300r' % (len(got), len(want), (want + got)[min(len(want), len(got))])
