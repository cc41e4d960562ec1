#!/usr/bin/env python3
"""Runs fuzz targets for a while, prints a table, and keeps what was found.

tools/fuzz.py BINARY [--minutes N] [--jobs N] [--targets "A B"] [--timeout S]    new inputs: build/fuzz-corpus/TARGET
tools/fuzz.py BINARY --merge [--targets "A B"]                       the best of them into fuzz/corpus

Minutes are minutes of a processor, so that a busy machine does not shorten them; build/fuzz-corpus/minutes.json adds them up over runs, least first
in each. Fails when a target found something; the table is followed by where the inputs lie.
"""

import argparse
import concurrent.futures
import fcntl
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEEDS = ROOT / "fuzz" / "corpus"
DICTIONARIES = ROOT / "fuzz" / "dict"
NEW = ROOT / "build" / "fuzz-corpus"
FOUND = ROOT / "build" / "fuzz-found"
MINUTES = NEW / "minutes.json"

LIMITS = ["-rss_limit_mb=3072"]
# Of one target's corpus in the repository: what `make test` replays stays small.
MOST_BYTES = 100_000
MOST_BYTES_OF_FILE = 8_000
INTERRUPTED = 72  # libFuzzer's status when it was told to end
COVERAGE = re.compile(r"cov: (\d+) ft: (\d+) corp: (\d+)/(\w+)")


def command(binary, target):
    out = [str(binary), target, *LIMITS]
    dictionary = DICTIONARIES / f"{target}.dict"
    if dictionary.exists():
        out.append(f"-dict={dictionary}")
    return out


def minutes_so_far():
    return json.loads(MINUTES.read_text()) if MINUTES.exists() else {}


def add_minutes(target, minutes):
    """The sum over all runs, of which several may end at once."""
    with open(MINUTES.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        sums = minutes_so_far()
        sums[target] = sums.get(target, 0) + minutes
        MINUTES.write_text(json.dumps(sums, indent=1, sort_keys=True))
        return sums[target]


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as stat:
        words = stat.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def run_for(words, seconds, log):
    """Runs until the process has had so many seconds of a processor, or ends; gives its status and what it had."""
    had = 0
    with open(log, "wb") as out, subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT) as process:
        while process.poll() is None:
            had = processor_seconds(process.pid)
            if had >= seconds:
                process.send_signal(signal.SIGINT)  # it prints its figures before it ends
                process.wait()
            time.sleep(0.2)
        return 0 if process.returncode == INTERRUPTED else process.returncode, had


def fuzz(binary, target, seconds, timeout):
    """One row of the table."""
    new, found = NEW / target, FOUND / target
    for folder in (new, found):
        folder.mkdir(parents=True, exist_ok=True)
    words = command(binary, target) + ["-print_final_stats=1", "-reload=0", f"-timeout={timeout}"]
    words += [f"-artifact_prefix={found}/", str(new), str(SEEDS / target)]
    log = found / "log"
    status, had = run_for(words, seconds, log)
    text = log.read_text(errors="replace")
    stats = dict(re.findall(r"stat::(\w+): +(\d+)", text))
    last = (COVERAGE.findall(text) or [("0", "0", "0", "0")])[-1]
    inputs = [path for path in re.findall(r"Test unit written to (\S+)", text) if "/slow-unit-" not in path]
    executions = int(stats.get("number_of_executed_units", 0))
    return {
        "target": target,
        "executions": executions,
        "per second": round(executions / max(had, 1)),
        "edges": int(last[0]),
        "features": int(last[1]),
        "corpus": int(last[2]),
        "minutes in all": round(add_minutes(target, had / 60), 1),
        "findings": len(inputs) or int(status != 0),
        "where": inputs or ([str(log)] if status else []),
    }


def print_table(rows):
    names = ["target", "executions", "per second", "edges", "features", "corpus", "minutes in all", "findings"]
    cells = [names] + [[f"{row[n]:,}" if n != "target" else row[n] for n in names] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(names))]
    for line in cells:
        print("  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths))).rstrip())


def merge(binary, target):
    """Adds to the corpus what reaches something new, smallest first, as long as there is room."""
    kept = SEEDS / target
    room = MOST_BYTES - sum(f.stat().st_size for f in kept.iterdir())
    before = room
    with tempfile.TemporaryDirectory() as name:
        new, union = pathlib.Path(name) / "new", pathlib.Path(name) / "union"
        new.mkdir()
        union.mkdir()
        for file in (NEW / target).glob("*"):
            if file.stat().st_size <= MOST_BYTES_OF_FILE:
                (new / file.name).write_bytes(file.read_bytes())
        for file in kept.iterdir():
            (union / file.name).write_bytes(file.read_bytes())
        words = command(binary, target) + ["-merge=1", str(union), str(new)]
        subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        added = 0
        for file in sorted(union.iterdir(), key=lambda f: f.stat().st_size):
            if (kept / file.name).exists() or file.stat().st_size > room:
                continue
            (kept / file.name).write_bytes(file.read_bytes())
            room -= file.stat().st_size
            added += 1
    print(f"{target}: {added} files, {before - room} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--targets", default="")
    parser.add_argument("--timeout", type=int, default=60, help="seconds an input may take, by the clock: more where others have the processor")
    parser.add_argument("--merge", action="store_true")
    given = parser.parse_args()
    known = sorted(folder.name for folder in SEEDS.iterdir())
    targets = given.targets.split() or known
    if unknown := sorted(set(targets) - set(known)):
        parser.error(f"no such target: {', '.join(unknown)}; there are {', '.join(known)}")
    binary = given.binary.resolve()
    if given.merge:
        for target in targets:
            if (NEW / target).is_dir():
                merge(binary, target)
        return 0
    NEW.mkdir(parents=True, exist_ok=True)
    so_far = minutes_so_far()
    targets.sort(key=lambda target: so_far.get(target, 0))
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        rows = list(pool.map(lambda target: fuzz(binary, target, given.minutes * 60, given.timeout), targets))
    print_table(rows)
    found = [(row["target"], path) for row in rows for path in row["where"]]
    for target, path in found:
        print(f"{target}: {path}")
    if found:
        print(f"once more: {given.binary} TARGET FILE; what is mended goes into fuzz/corpus/TARGET", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
