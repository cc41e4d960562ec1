#!/usr/bin/env python3
"""Checks that the folders of src/ include only what they may: base <- proto <- model <- import <- load, ...

    check_layers.py [REPOSITORY]      exit status 1, and one line per include, where one goes against the rules
"""
import re
import sys
from pathlib import Path

# What each folder of src/ may include besides itself and the public headers. A new folder needs a line here.
MAY_INCLUDE = {
    'base': set(),
    'proto': {'base'},
    'model': {'base', 'proto'},
    'import': {'base', 'proto', 'model'},
    'graph': {'base', 'proto'},
    'infer': {'base', 'proto', 'graph'},
    'estimate': {'base', 'proto', 'graph', 'infer'},
    'load': {'base', 'proto', 'model', 'import', 'graph', 'infer', 'estimate'},
    'report': {'base', 'model'},
    'view': {'base', 'model', 'report'},
    'advise': {'base', 'model', 'report'},
    'diff': {'base', 'model', 'report', 'load'},
    'analyze': {'base', 'proto', 'model', 'load', 'graph', 'infer', 'estimate', 'view', 'advise', 'report'},
    'oom': {'base', 'proto', 'report'},
    'export': {'base', 'model', 'report'},
    'tables': {'base', 'model', 'load', 'view', 'report'},
    'history': {'base', 'model', 'report', 'diff', 'tables'},
    'server': {'base'},
    'cli': {'base'},
    'python': {'base', 'cli'},  # `python -m tfprof` is the program
}
# The room of every public header: "tfprof/NAME.h" may be included where that room may be. A new header needs a line
# here. Reports are plain data that any room may hand on; what makes them is in the room of the same name.
PUBLIC_HEADERS = {
    'base': {'big_vector', 'checkers', 'columns', 'coverage', 'figures', 'options', 'peaks', 'program', 'report', 'result', 'step_choice', 'tensor', 'version'},
    'model': {'checkpoint', 'memory', 'profile'},
    'import': {'inputs'},
    'load': {'runs'},
    'report': {'advise', 'checkpoint_report', 'diff', 'document', 'history', 'info', 'kernels', 'lanes', 'memory_layers', 'model', 'nodes', 'oom', 'report_kinds',
               'steps', 'summary', 'view'},
    'export': {'page', 'stacks', 'timeline'},
    'tables': {'tables'},
    'server': {'site'},
}
DOORS = {'cli', 'server', 'python'}  # use all of the public interface
PUBLIC = 'tfprof'  # "tfprof/..." is a public header
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
SOURCES = ('.cc', '.cpp', '.h', '.hpp', '.inc')


def source_files(repository: Path):
    """Yields (folder in terms of MAY_INCLUDE, file)."""
    for top in ('src', 'include', 'python'):
        for path in sorted((repository / top).rglob('*')):
            if path.suffix not in SOURCES:
                continue
            parts = path.relative_to(repository).parts
            yield (parts[1] if top == 'src' else top), path


def target_of(include: str, path: Path, repository: Path) -> str:
    """The folder that an include reaches; '' where it is no file of ours (a library, a generated header)."""
    first = include.split('/')[0]
    if first == PUBLIC:
        return PUBLIC
    if (repository / 'src' / include).exists() and '/' in include:
        return first
    beside = (path.parent / include).resolve()
    if beside.exists() and (repository / 'src').resolve() in beside.parents:
        return beside.relative_to((repository / 'src').resolve()).parts[0]
    return first if first in MAY_INCLUDE and '/' in include else ''


def room_of_header(include: str) -> str:
    """The room of a public header; '' where it has none."""
    name = include[len(PUBLIC) + 1:].removesuffix('.h')
    return next((room for room, names in PUBLIC_HEADERS.items() if name in names), '')


def violations(repository: Path) -> list:
    found = []
    for folder, path in source_files(repository):
        if folder == 'include':
            folder = room_of_header('/'.join(path.relative_to(repository / 'include').parts))
            if not folder:
                found.append('%s: the header has no room; add it to tools/check_layers.py'
                             % path.relative_to(repository))
                continue
            in_public = True
        else:
            in_public = False
        name = path.relative_to(repository)
        if folder not in MAY_INCLUDE:
            found.append('%s: the folder %s has no rule; add one to tools/check_layers.py' % (name, folder))
            continue
        for include in INCLUDE.findall(path.read_text(encoding='utf-8')):
            target = target_of(include, path, repository)
            if target == PUBLIC:
                if folder in DOORS:
                    continue
                target = room_of_header(include)
            elif in_public and target:
                found.append('%s includes "%s": public headers stand alone' % (name, include))
                continue
            if target in ('', folder) or target in MAY_INCLUDE[folder]:
                continue
            found.append('%s includes "%s": %s may not reach %s' % (name, include, folder, target))
    return found


NAMESPACE = re.compile(r'^namespace (tfprof[\w:]*) \{', re.MULTILINE)
DEFINES = re.compile(r'^(?:struct|class|enum class) (\w+)[^;\n]*\{', re.MULTILINE)


def defined_twice(repository: Path) -> list:
    """Types of one name in one namespace, in two headers: the linker would take the functions of one for the other's."""
    places = {}
    for _, path in source_files(repository):
        text = path.read_text(encoding='utf-8') if path.suffix == '.h' else ''
        for space in NAMESPACE.findall(text)[:1]:
            for name in DEFINES.findall(text):
                places.setdefault((space, name), []).append(str(path.relative_to(repository)))
    return ['%s::%s is defined in %s' % (*key, ' and in '.join(sorted(paths))) for key, paths in places.items() if len(paths) > 1]


def main() -> int:
    repository = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    if not any(True for _ in source_files(repository)):
        print('%s: no sources found' % repository)
        return 1
    found = violations(repository) + defined_twice(repository)
    print('\n'.join(found) if found else 'layers: fine')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
