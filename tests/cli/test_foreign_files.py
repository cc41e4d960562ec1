"""Files of other programs are named, with the way out."""
import io
import json
import struct
import zipfile

import pytest
from support import wire


def zipped(*names):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w') as archive:
        for name in names:
            archive.writestr(name, b'x')
    return out.getvalue()


def safetensors():
    header = json.dumps({'w': {'dtype': 'F32', 'shape': [1], 'data_offsets': [0, 4]}}).encode()
    return struct.pack('<Q', len(header)) + header + b'\0\0\0\0'


ONNX = wire.message(_1=8, _2='pytorch', _3='2.1', _7=wire.message(_1=wire.message(_1='x', _4='Relu'), _2='main'),
                    _8=wire.message(_2=17))

FOREIGN = {
    'hdf5': (b'\x89HDF\r\n\x1a\n' + b'\0' * 90, 'is an HDF5 file', ".export('dir')"),
    'tflite': (b'\x1c\0\0\0TFL3' + b'\0' * 60, 'is a TensorFlow Lite model', 'Give the SavedModel'),
    'onnx': (ONNX, 'is an ONNX model', 'Give the SavedModel'),
    'torchscript': (zipped('m/data.pkl', 'm/version', 'm/constants.pkl', 'm/code/x.py'), 'is a TorchScript program', 'JAX'),
    'torch': (zipped('m/data.pkl', 'm/version'), 'is a file of torch.save', 'JAX'),
    'safetensors': (safetensors(), 'is a safetensors file', "model.export('dir')"),
    'npz': (zipped('a.npy', 'b.npy'), 'is arrays of NumPy (.npz)', 'checkpoint'),
    'npy': (b'\x93NUMPY\x01\0v\0{}', 'is an array of NumPy', 'checkpoint'),
    'gguf': (b'GGUF\x03\0\0\0', 'is a GGUF file', 'made from'),
    'trace': (b'{"displayTimeUnit": "ns", "traceEvents": []}', 'is a trace of chrome://tracing', '*.xplane.pb'),
    'zip': (zipped('a.txt'), 'is a zip archive', 'unpack it'),
}


@pytest.mark.parametrize('name', FOREIGN)
def test_a_foreign_file_is_named_with_the_way_out(tfprof, name):
    content, what, way_out = FOREIGN[name]
    tfprof.file('f', content)
    for command in ('scope', 'model', 'info', 'summary'):
        tfprof(command, 'f').fails(3, 'f: ' + what, 'which tfprof does not read', way_out)
    tfprof('scope', graph_path='f').fails(3, 'f: ' + what, way_out)


def test_cut_foreign_files_do_no_harm(tfprof):
    for content, _, _ in FOREIGN.values():
        for size in range(1, len(content), max(1, len(content) // 7)):
            tfprof.file('f', content[:size])
            assert tfprof('scope', 'f').status in (0, 3)
