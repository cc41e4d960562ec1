"""-format html: one file, nothing from outside, the same figures as JSON, everything escaped."""
import base64
import hashlib
import json
import re
import struct
from html.parser import HTMLParser

import pytest

from support import bundle
from support.wire import field

COMMANDS = ['scope', 'graph', 'op', 'code', 'memory', 'advise', 'summary', 'info']


class Page(HTMLParser):
    """Elements and the text of scripts; balanced tags are checked on the way."""
    VOID = {'meta'}

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.scripts, self.text = [], [], [], ''
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == 'script':
            self.scripts.append('')

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == 'script':
            self.scripts[-1] += data
        else:
            self.text += data

    def data(self):
        """What the page draws."""
        ids = [attributes.get('id') for tag, attributes in self.elements if tag == 'script']
        return json.loads(self.scripts[ids.index('data')])

    def report(self):
        return self.data()['view']


def names_of(report):
    """As tree.js reads them."""
    names, line = [], []
    for text, depth in zip(report['names'], report['depth']):
        while line and line[-1][0] >= depth:
            line.pop()
        name = line[-1][1] + text if line and text.startswith('/') else text[1:] if text.startswith('=') else text
        line.append((depth, name))
        names.append(name)
    return names


def hash_of(text):
    return "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@pytest.mark.parametrize('command', COMMANDS)
def test_one_page_and_nothing_from_outside(tfprof, data, command):
    """Nothing is fetched, and nothing runs but the one script that is ours."""
    text = tfprof(command, data / 'resnet_gpu', format='html').ok().text
    page = Page(text)
    assert [tag for tag, _ in page.elements] == ['html', 'head', 'meta', 'meta', 'meta', 'title', 'style', 'body', 'div', 'noscript', 'script', 'script']
    for _, attributes in page.elements:
        assert not {'src', 'href', 'action', 'onclick', 'onload', 'style'} & set(attributes)
    policy = next(a['content'] for t, a in page.elements if a.get('http-equiv') == 'Content-Security-Policy')
    assert policy.startswith("default-src 'none'") and 'unsafe' not in policy and 'http' not in policy
    assert hash_of(page.scripts[1]) in policy
    assert hash_of(re.search('<style>(.*?)</style>', text, re.DOTALL)[1]) in policy


@pytest.mark.parametrize('view', COMMANDS[:4])
def test_the_figures_are_those_of_csv(tfprof, data, view):
    options = dict(select='micros,bytes,params,float_ops,occurrence', max_depth=50, order_by='micros')
    report = Page(tfprof(view, data / 'resnet', format='html', **options).ok().text).report()
    rows = tfprof(view, data / 'resnet', format='csv', **options).ok().csv()
    assert names_of(report) == [row['path'] for row in rows]
    assert report['depth'] == [int(row['depth']) for row in rows]
    for column, own, total in zip(report['columns'], report['own'], report['total']):
        want = [int(row['total_' + column['name']]) if row['total_' + column['name']] else None for row in rows]
        if column['name'] != 'defined':
            assert total == want
        for mine, row in zip(own, rows):
            assert mine is None or str(mine) == row[column['name']]


def test_what_was_not_recorded_is_null(tfprof, data):
    report = Page(tfprof('scope', data / 'resnet' / 'graph.pb', select='micros,params', format='html').ok().text).report()
    by_name = {column['name']: k for k, column in enumerate(report['columns'])}
    assert report['columns'][by_name['micros']]['recorded'] is False
    assert set(report['total'][by_name['micros']]) == {None}
    assert None not in report['total'][by_name['params']]
    for command in ('scope', 'summary', 'info'):  # how to record it: several lines
        text = tfprof(command, data / 'resnet' / 'graph.pb', format='html', select='micros').ok().text
        assert 'FULL_TRACE' in text and '\\x0a' not in text


def test_figures_too_large_for_javascript_are_exact(tfprof):
    huge = 2**62 + 1
    name = tfprof.file('graph.pbtxt', 'node { name: "w" op: "VariableV2" attr { key: "shape" value { shape { dim '
                       '{ size: %d } } } } }\n' % huge)
    report = Page(tfprof('scope', name, select='params', format='html').ok().text).report()
    assert report['total'][0][-1] == str(huge)


def test_text_that_looks_like_html_stays_text(tfprof):
    evil = '</script><script>alert(1)</script><!-- & "\' -->'
    path = tfprof.file('graph & "<b>.pbtxt', 'node { name: "%s" op: "<i>" }\n' % evil.replace('"', '\\"'))
    text = tfprof('scope', path, select='params,op_types', format='html').ok().text
    page = Page(text)
    assert any(name.endswith(evil) for name in names_of(page.report()))
    assert page.data()['inputs'][0]['path'].endswith('graph & "<b>.pbtxt')
    assert '<i>' not in text and '<b>' not in text and 'alert(1)</' not in text
    for command in ('summary', 'info', 'advise'):
        assert len(Page(tfprof(command, path, format='html').ok().text).scripts) == 2


def test_bytes_that_are_no_utf8_are_spelt_out(tfprof):
    node = field(1, b'bad\xff\xfename') + field(2, b'NoOp')
    path = tfprof.file('graph.pb', field(1, node))
    done = tfprof('scope', path, select='params', format='html', keep_going=True)
    done.out.decode('utf-8')  # whatever became of the node, the page is UTF-8
    folder = tfprof.file(b'dir\xff/graph.pbtxt'.decode('utf-8', 'surrogateescape'), 'node { name: "a" op: "NoOp" }\n')
    text = tfprof('scope', folder, select='params', format='html').ok().out.decode('utf-8')
    assert Page(text).data()['inputs'][0]['path'].endswith('dir\\xff/graph.pbtxt')


def test_tables_of_models_checkpoints_and_comparisons(tfprof, data):
    for name, size in (('old', 10), ('new', 40)):
        values = struct.pack('<%df' % size, *range(size))
        entries = [bundle.header(), (b'a<b>', bundle.entry(bundle.FLOAT, [2], values[:8])),
                   (b'w', bundle.entry(bundle.FLOAT, [size], values, offset=8))]
        tfprof.file(name + '.index', bundle.table(entries))
        tfprof.file(name + '.data-00000-of-00001', values[:8] + values)
    pages = {
        'model': tfprof('model', data / 'resnet' / 'graph.pb', format='html').ok().text,
        'checkpoint': tfprof('checkpoint', 'old', format='html').ok().text,
        'diff': tfprof('diff', 'old', 'new', select='params', format='html').ok().text,
    }
    for name, text in pages.items():
        assert len(Page(text).scripts) == 2 and '<b>' not in text, name
    data_of = {name: json.dumps(Page(text).data()) for name, text in pages.items()}
    assert 'Conv2D' in data_of['model'] and 'multiply-adds' in data_of['model']
    assert 'a<b>' in data_of['checkpoint'] and 'float32' in data_of['checkpoint']
    compared = Page(pages['diff']).report()['comparison']
    assert 30 in compared['difference'][0]  # growth is positive
    assert [source['name'] for source in compared['inputs']] == ['left', 'right']
