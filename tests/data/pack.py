#!/usr/bin/env python3
"""Copies recorded models and their expected outputs into this folder, the outputs packed.

    pack.py RECORDED        RECORDED/MODEL/{graph.pb, run_meta_*, tfprof_log, profile, cases.json, expected/}

Writes views/MODEL/, where expected.tar.xz holds all of expected/ (trees unpacked, so that xz sees them as text:
1.5 MB instead of 30). The same input gives the same bytes. Needed only when the recordings change.
"""
import gzip
import io
import json
import lzma
import shutil
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
INPUTS = ('graph.pb', 'graph.pbtxt', 'run_meta_*', 'tfprof_log', 'profile')


def pack(model: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for pattern in INPUTS:
        for source in model.glob(pattern):
            shutil.copyfile(source, target / source.name)
    cases = json.loads((model / 'cases.json').read_text())
    files = {}
    for case in cases:
        for kind, name in case['expect'].items():
            data = (model / 'expected' / name).read_bytes()
            if name.endswith('.gz'):
                data = gzip.decompress(data)
                name = case['expect'][kind] = name.replace('.json.gz', '.tree.json')
            files[name] = data
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode='w', format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            tar.addfile(entry, io.BytesIO(files[name]))
    (target / 'expected.tar.xz').write_bytes(lzma.compress(packed.getvalue(), preset=9 | lzma.PRESET_EXTREME))
    lines = ',\n'.join(json.dumps(case, sort_keys=True) for case in cases)
    (target / 'cases.json').write_text('[\n%s\n]\n' % lines)


def main() -> None:
    for model in sorted(Path(sys.argv[1]).iterdir()):
        if model.is_dir():
            pack(model, HERE / 'views' / model.name)


if __name__ == '__main__':
    main()
