"""A real browser for the tests of pages: Chromium, driven by playwright-core; tests are skipped where one is missing."""
import json
import pathlib
import shutil
import subprocess
import urllib.parse

import pytest

CACHE = pathlib.Path(__file__).resolve().parents[2] / 'build' / 'client'


def install(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        pytest.skip('%s: %s' % (' '.join(command[:3]), done.stderr.strip()[-200:]))
    return done


def playwright():
    """The folder with playwright-core and axe-core, installed once."""
    if not shutil.which('node') or not shutil.which('npm') or not shutil.which('chromium'):
        pytest.skip('needs node, npm and chromium')
    CACHE.mkdir(parents=True, exist_ok=True)
    packages = ['playwright-core', 'axe-core']
    if not all((CACHE / 'node_modules' / name).exists() for name in packages):
        install(['npm', 'install', '--silent', '--prefix', str(CACHE), *packages])
    return CACHE / 'node_modules'


class Browser:
    """One Chromium for many pages; what it is told goes through client/driver.mjs."""

    def __init__(self, modules):
        driver = pathlib.Path(__file__).resolve().parents[1] / 'client' / 'driver.mjs'
        self._process = subprocess.Popen(['node', str(driver), str(modules)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         text=True, encoding='utf-8')
        self._count = 0

    def tell(self, do, **more):
        self._process.stdin.write(json.dumps({'do': do, **more}) + '\n')
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, 'the browser ended'
        answer = json.loads(line)
        assert 'error' not in answer, answer['error']
        return answer['value']

    def open(self, url, **more):
        self._count += 1
        name = 'page %d' % self._count
        self.tell('open', page=name, url=url, **more)
        return Page(self, name, url)

    def visit(self, file, steps, dark=False):
        """Opens a page that tfprof wrote, does the steps, closes it; what was seen (client/html_page.mjs)."""
        return self.tell('visit', file=str(file), steps=steps, dark=dark)

    def trace(self, folder, file):
        """A trace in Perfetto's page; what it found (client/perfetto_ui.mjs)."""
        return self.tell('trace', folder=str(folder), file=str(file))

    def close(self):
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()


class Page:
    """A page of it, or a frame of a page."""

    def __init__(self, browser, name, url, frame=None):
        self.browser, self.name, self.url, self._frame = browser, name, url, frame

    def _tell(self, do, **more):
        return self.browser.tell(do, page=self.name, frame=self._frame, **more)

    def frame(self, part):
        """The frame whose address has this in it."""
        return Page(self.browser, self.name, self.url, part)

    def click(self, selector):
        self._tell('click', on=selector)

    def fill(self, selector, text):
        self._tell('fill', on=selector, text=text)

    def press(self, selector, key):
        self._tell('press', on=selector, key=key)

    def choose(self, selector, value):
        self._tell('choose', on=selector, value=value)

    def goto(self, url):
        self._tell('goto', url=url)

    def drag(self, start, end):
        self._tell('drag', **{'from': start, 'to': end})

    def reload(self):
        self._tell('reload')

    def wait(self, condition):
        """Until an expression of JavaScript is true."""
        self._tell('wait', until=condition)

    def evaluate(self, script):
        return self._tell('evaluate', script=script)

    def texts(self, selector):
        return self.evaluate('[...document.querySelectorAll(%s)].map((e) => e.textContent)' % json.dumps(selector))

    def dark(self, on):
        """What the reader's system wants."""
        self.browser.tell('dark', page=self.name, on=on)

    def address(self):
        return self._tell('address')

    def shot(self, file, selector=None):
        self._tell('shot', file=str(file), on=selector)

    def faults(self, rules=None):
        """What axe-core calls serious or critical."""
        return self._tell('axe', rules=rules)

    def quiet(self, origins=None):
        """Nothing on the console, nothing asked of anybody else."""
        heard = self._tell('heard')
        assert heard['messages'] == []
        own = origins or ['%s://%s' % urllib.parse.urlsplit(self.url)[:2]]
        assert [url for url in heard['requests'] if not url.startswith((*own, 'data:', 'blob:', 'about:'))] == []

    def close(self):
        self._tell('close')
