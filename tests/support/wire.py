"""Writes the messages that tfprof reads, field by field: small inputs made by a test that can be read as such."""


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number: int, value) -> bytes:
    """One field: int as varint; str and bytes length-delimited; a list is the field repeated; None is nothing."""
    if value is None:
        return b''
    if isinstance(value, list):
        return b''.join(field(number, item) for item in value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def message(**fields) -> bytes:
    """message(_1='a', _2=3): the fields by number, in that order."""
    return b''.join(field(int(name[1:]), value) for name, value in fields.items())


def shape(dims) -> bytes:
    """TensorShapeProto; None is unknown rank."""
    return message(_3=1) if dims is None else field(2, [message(_1=d) for d in dims])


def node(name, op='NoOp', inputs=(), dims=..., outputs=(), attrs=b'') -> bytes:
    """A NodeDef as a field of GraphDef. dims: attr `shape`; outputs: attr `_output_shapes`."""
    if dims is not ...:
        attrs += field(5, message(_1='shape', _2=message(_7=shape(dims))))
    if outputs:
        attrs += field(5, message(_1='_output_shapes', _2=message(_1=field(7, [shape(d) for d in outputs]))))
    return field(1, message(_1=name, _2=op, _3=list(inputs)) + attrs)


def graph(*nodes: bytes) -> bytes:
    return b''.join(nodes) + field(4, message(_1=1395))


CPU = '/job:localhost/replica:0/task:0/device:CPU:0'
GPU = '/job:localhost/replica:0/task:0/device:GPU:0'


def stats(name, start=1000, micros=10, memory=None, total=None, peak=None, live=None, allocator='cpu', output=None,
          temp=None, persistent=None) -> bytes:
    """A NodeExecStats."""
    if total is not None or peak is not None or live is not None:
        memory = message(_1=allocator, _2=total, _3=peak, _4=live)
    outputs = None if output is None else message(_1=0, _3=message(_4=message(_1=output, _2=output)))
    extra = None if temp is None and persistent is None else message(_1=temp, _3=persistent)
    return message(_1=name, _2=start, _4=micros, _6=memory, _7=outputs, _12=extra)


def run_metadata(devices: dict) -> bytes:
    """{device: [stats...]}"""
    return field(1, b''.join(field(1, message(_1=name, _2=records)) for name, records in devices.items()))


def trace(file, line, function, source=None) -> bytes:
    """A frame with strings in place, the older form."""
    return message(_1=file, _2=line, _3=function, _4=source)


def log_entry(name, float_ops=None, types=(), frames=()) -> bytes:
    """An OpLogEntry as a field of OpLogProto; frames outermost first."""
    code = field(1, list(frames)) if frames else None
    return field(1, message(_1=name, _2=float_ops, _3=list(types), _4=code))


def profile_node(key, name, op='NoOp', inputs=(), device=None, execs=None, dims=None, float_ops=None) -> bytes:
    """An entry of ProfileProto.nodes. inputs: ids; execs: {step: (runs, start, micros)} on the cpu."""
    body = message(_1=name, _2=[message(_1=i, _2=source) for i, source in enumerate(inputs)],
                   _4=list(dims) if dims else None, _5=op, _6=device, _8=float_ops, _9=op)
    for step, (runs, start, micros) in (execs or {}).items():
        times = message(_1=device, _2=field(1, message(_1=[start, micros])))
        body += field(12, message(_1=step, _2=message(_1=runs, _2=start, _3=start + micros, _5=times)))
    return field(1, message(_1=key, _2=body))


def profile(*nodes: bytes, steps=()) -> bytes:
    return b''.join(nodes) + field(3, list(steps))


def read_varint(data: bytes, at: int):
    """The number that begins there, and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def fields(data: bytes):
    """The fields of a message, as (number, int or bytes); 32-bit and 64-bit ones as bytes."""
    at = 0
    while at < len(data):
        tag, at = read_varint(data, at)
        if tag & 7 == 0:
            value, at = read_varint(data, at)
        else:
            size, at = read_varint(data, at) if tag & 7 == 2 else ({1: 8, 5: 4}[tag & 7], at)
            value, at = data[at:at + size], at + size
        yield tag >> 3, value
