#!/usr/bin/env python3
"""Writes src/graph/op_facts.inc: outputs and default attributes of every op type that TensorFlow registers.

    python3 tools/make_op_facts.py > src/graph/op_facts.inc      (needs an installed TensorFlow; the build does not)

A graph names the outputs of ops inside functions (`node:values:0`) and leaves out attributes that have their default,
so that reading it takes these facts about each op. One line per op:

    NAME|OUTPUT OUTPUT ...|ATTR=DEFAULT ATTR=DEFAULT ...

OUTPUT is `name:T` (type from attr T), `name:=3` (always type 3), `name:T*N` (attr N of them), `name:[Ts]` (one per type
in the list attr Ts). A default is a number (also for bool and type), 'text', or [1,2,3].
"""
import os
import re

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
from tensorflow.core.framework import op_def_pb2  # noqa: E402
from tensorflow.python.client import pywrap_tf_session  # noqa: E402

# Internals of compilers and of devices that no saved graph of a model holds.
SKIP = re.compile('^(_?Xla|_?TPU|_?Mkl|_Tpu|Experimental|TfLite|_?TfrtG|_?Nccl|_XLA)')


def output(arg):
    kind = arg.type_attr or '=%d' % arg.type
    if arg.type_list_attr:
        return '%s:[%s]' % (arg.name, arg.type_list_attr)
    if arg.number_attr:
        return '%s:%s*%s' % (arg.name, kind, arg.number_attr)
    return '%s:%s' % (arg.name, kind)


def default(attr):
    value = attr.default_value
    if attr.type in ('int', 'bool'):
        return str(int(value.i if attr.type == 'int' else value.b))
    if attr.type == 'type':
        return str(value.type)
    if attr.type == 'list(int)':
        return '[%s]' % ','.join(map(str, value.list.i))
    if attr.type == 'string' and re.fullmatch(rb'\w*', value.s):
        return "'%s'" % value.s.decode()
    return None


def main():
    ops = op_def_pb2.OpList()
    ops.ParseFromString(pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList()))
    for op in sorted(ops.op, key=lambda op: op.name):
        if SKIP.match(op.name):
            continue
        outputs = ' '.join(map(output, op.output_arg))
        defaults = [(a.name, default(a)) for a in op.attr if a.HasField('default_value')]
        shown = ' '.join('%s=%s' % d for d in defaults if d[1] not in (None, "''"))
        print('"%s|%s|%s",' % (op.name, outputs, shown))


if __name__ == '__main__':
    main()
