#!/usr/bin/env python3
"""Line coverage by room of src/, of the unit tests and the replayed corpora of the fuzzers.

tools/coverage.py BUILD [--llvm N] [--files ROOM]     --files: of each file of a room, worst first

Fails where a room that reads or reckons with what files hold is covered less than it must be.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPORA = ROOT / "fuzz" / "corpus"
LEAST = 90.0
ROOMS = ["import", "graph", "infer", "estimate"]


def record(build, profiles):
    """Runs everything once; each program leaves a profile."""
    profiles.mkdir(exist_ok=True)
    for old in profiles.glob("*.profraw"):
        old.unlink()
    replay = str(build / "fuzz" / "replay")
    runs = {"unit": [str(build / "tests" / "tfprof_unit"), "--gtest_brief=1"]}
    runs |= {folder.name: [replay, folder.name, str(folder)] for folder in sorted(CORPORA.iterdir())}
    for name, words in runs.items():
        environment = os.environ | {"LLVM_PROFILE_FILE": str(profiles / f"{name}.profraw")}
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)} failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


def covered_lines(build, profiles, llvm):
    """{path below src: (lines, covered)}."""
    merged = profiles / "all.profdata"
    parts = [str(part) for part in sorted(profiles.glob("*.profraw"))]
    subprocess.run([f"llvm-profdata-{llvm}", "merge", "-sparse", "-o", str(merged), *parts], check=True)
    words = [f"llvm-cov-{llvm}", "export", "-summary-only", f"-instr-profile={merged}"]
    words += [str(build / "tests" / "tfprof_unit"), "-object", str(build / "fuzz" / "replay")]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    out = {}
    for file in json.loads(text)["data"][0]["files"]:
        path = pathlib.Path(os.path.normpath(file["filename"]))  # a compiler cache leaves BUILD/../../src
        if path.is_relative_to(ROOT / "src"):
            lines = file["summary"]["lines"]
            out[path.relative_to(ROOT / "src")] = (lines["count"], lines["covered"])
    return out


def percent(lines, covered):
    return 100.0 * covered / lines if lines else 100.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--llvm", default="14")
    parser.add_argument("--files", metavar="ROOM")
    given = parser.parse_args()
    profiles = given.build.resolve() / "profiles"
    if not given.files:
        record(given.build.resolve(), profiles)
    files = covered_lines(given.build.resolve(), profiles, given.llvm)
    if given.files:
        for path, lines in sorted(files.items(), key=lambda item: item[1][1] - item[1][0]):
            if path.parts[0] == given.files:
                print(f"{percent(*lines):6.1f} %  {lines[0] - lines[1]:5} not run  {path}")
        return 0
    rooms = collections.defaultdict(lambda: [0, 0])
    for path, (lines, covered) in files.items():
        rooms[path.parts[0]][0] += lines
        rooms[path.parts[0]][1] += covered
    print(f"{'room':<10} {'lines':>7} {'covered':>9}")
    low = []
    for room in ROOMS + sorted(set(rooms) - set(ROOMS)):
        share = percent(*rooms[room])
        must = room in ROOMS
        low += [room] if must and share < LEAST else []
        print(f"{room:<10} {rooms[room][0]:>7} {share:>7.1f} %{f'  at least {LEAST:.0f} %' if must else ''}")
    if low:
        print(f"too little: {', '.join(low)}; tools/coverage.py {given.build} --files ROOM says where", file=sys.stderr)
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
