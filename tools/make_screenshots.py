#!/usr/bin/env python3
"""make_screenshots.py BINARY: takes the pictures of the page that README.md and docs/ show, from examples/, into docs/images.

Needs what the tests of the page need (Chromium, node), and pngquant.
"""
import pathlib
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / 'tests'))
from support.browser import Browser, playwright  # noqa: E402

IMAGES = REPOSITORY / 'docs' / 'images'
SETTLED = "!document.querySelector('main .busy, main [aria-busy=true]') && document.querySelector('main section, main .card')"
# name: input, place, what must be there, height, dark
PICTURES = {
    'overview': ('resnet', '#/overview', "document.querySelectorAll('.card').length > 3", 900, False),
    'memory': ('resnet', '#/memory?by=scope&step=10', "document.querySelector('section.live tbody tr')", 1000, False),
    'time': ('jax', '#/time', "document.querySelectorAll('.flame .frame').length > 5", 900, True),
    'timeline': ('jax', '#/timeline', "document.querySelectorAll('main canvas').length > 1", 640, False),
    'compare': ('resnet', '#/compare', "document.querySelectorAll('tr[data-row]').length > 3", 900, False),
}
WIDTH = 1280


def take(browser, binary, name):
    example, place, there, height, dark = PICTURES[name]
    server = subprocess.Popen([binary, 'ui', str(REPOSITORY / 'examples' / example), '-no_open'], stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL)
    try:
        page = browser.open(server.stdout.readline().strip() + place, width=WIDTH, height=height, dark=dark)
        page.wait('%s && %s' % (there, SETTLED))
        page.evaluate('new Promise((done) => setTimeout(done, 500))')  # the last curves are drawn
        file = IMAGES / (name + '.png')
        page.shot(file)
        subprocess.run(['pngquant', '--force', '--ext', '.png', '--strip', '--speed', '1', '128', str(file)], check=True)
        page.close()
        print('%s: %d KB' % (file.relative_to(REPOSITORY), file.stat().st_size // 1024))
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    IMAGES.mkdir(exist_ok=True)
    browser = Browser(playwright())
    for name in PICTURES:
        take(browser, str(pathlib.Path(sys.argv[1]).resolve()), name)
    browser.close()


if __name__ == '__main__':
    main()
