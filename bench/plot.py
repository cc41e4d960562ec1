"""Draws what compare.py measured: time and memory over the number of nodes, both axes logarithmic, as SVG written by hand.

The picture has a ground of its own and two sets of colours, so that it can be read on a light and on a dark page.
"""
import math
from html import escape

WIDTH, HEIGHT = 1070, 455
PANEL_WIDTH, PANEL_HEIGHT, TOP, LEFTS = 290, 340, 62, (66, 590)
STYLE = '''
  .ground { fill: #ffffff } text { fill: #24292f; font: 12px system-ui, sans-serif }
  .title { font-size: 14px; font-weight: 600 } .faint { fill: #57606a } .grid { stroke: #d8dee4; stroke-width: 1 }
  .ours { stroke: #0969da } .theirs { stroke: #bc4c00 } .floor { stroke: #57606a; stroke-dasharray: 5 4 }
  .line { fill: none; stroke-width: 1.8 } .leader { stroke-width: 0.7; fill: none; opacity: 0.6 }
  circle.ours { fill: #0969da } circle.theirs { fill: #bc4c00 } circle.floor { fill: #57606a; stroke-dasharray: none }
  text.ours { fill: #0969da; stroke: none } text.theirs { fill: #bc4c00; stroke: none } text.floor { fill: #57606a; stroke: none }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } text { fill: #e6edf3 } .faint { fill: #9198a1 } .grid { stroke: #30363d }
    .ours { stroke: #58a6ff } .theirs { stroke: #f0883e } .floor { stroke: #9198a1 }
    circle.ours { fill: #58a6ff } circle.theirs { fill: #f0883e } circle.floor { fill: #9198a1 }
    text.ours { fill: #58a6ff } text.theirs { fill: #f0883e } text.floor { fill: #9198a1 }
  }'''


class Axis:
    """A logarithmic axis over the decades that hold all values."""

    def __init__(self, values, begin, end):
        self.low, self.high = math.log10(min(values)), math.log10(max(values))
        pad = (self.high - self.low) * 0.04 or 0.5  # of one value alone half a decade
        self.low, self.high, self.begin, self.end = self.low - pad, self.high + pad, begin, end

    def at(self, value):
        return self.begin + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self):
        return [10.0 ** power for power in range(math.ceil(self.low), math.floor(self.high) + 1)]


def count_text(n):
    return '%gM' % (n / 1e6) if n >= 1e6 else '%gk' % (n / 1e3)


def time_tick(seconds):
    return '%g s' % seconds if seconds >= 1 else '%g ms' % round(seconds * 1e3, 3)


def size_tick(size):
    return '%g GB' % (size / 1e9) if size >= 1e9 else '%g MB' % (size / 1e6)


def spread_out(wanted, gap):
    """Heights for labels: in the order of those wanted, a gap apart, and as near to them as that allows."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    blocks = []  # [sum of (wanted - place within the block), labels]: labels that touch move as one
    for i in order:
        blocks.append([wanted[i], 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] + blocks[-2][1] * gap > blocks[-1][0] / blocks[-1][1]:
            total, count = blocks.pop()
            before = blocks[-1]
            before[0], before[1] = before[0] + total - count * before[1] * gap, before[1] + count
    heights = [total / count + k * gap for total, count in blocks for k in range(count)]
    return [heights[order.index(i)] for i in range(len(wanted))]


def panel(title, left, series, tick_text):
    """One plot; series: (label, class, [(nodes, value)])."""
    points = [point for _, _, line in series for point in line]
    if not points:
        return ['<text class="title" x="%d" y="%d">%s: not measured</text>' % (left, TOP - 14, escape(title))]
    x = Axis([n for n, _ in points], left, left + PANEL_WIDTH)
    y = Axis([v for _, v in points], TOP + PANEL_HEIGHT, TOP)
    out = ['<text class="title" x="%d" y="%d">%s</text>' % (left, TOP - 14, escape(title))]
    for value in y.ticks():
        out.append('<line class="grid" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/>' % (left, left + PANEL_WIDTH, y.at(value), y.at(value)))
        out.append('<text class="faint" text-anchor="end" x="%d" y="%.1f">%s</text>' % (left - 6, y.at(value) + 4, tick_text(value)))
    for n in sorted({n for n, _ in points}):
        out.append('<line class="grid" x1="%.1f" x2="%.1f" y1="%d" y2="%d"/>' % (x.at(n), x.at(n), TOP, TOP + PANEL_HEIGHT))
        out.append('<text class="faint" text-anchor="middle" x="%.1f" y="%d">%s</text>' % (x.at(n), TOP + PANEL_HEIGHT + 16, count_text(n)))
    out.append('<text class="faint" text-anchor="middle" x="%d" y="%d">nodes</text>' % (left + PANEL_WIDTH // 2, TOP + PANEL_HEIGHT + 34))
    heights = spread_out([y.at(line[-1][1]) for _, _, line in series], 13.5)
    for (label, kind, line), height in zip(series, heights):
        out.append('<polyline class="line %s" points="%s"/>' % (kind, ' '.join('%.1f,%.1f' % (x.at(n), y.at(v)) for n, v in line)))
        out += ['<circle class="%s" cx="%.1f" cy="%.1f" r="2.2"/>' % (kind, x.at(n), y.at(v)) for n, v in line]
        edge = left + PANEL_WIDTH + 10
        out.append('<polyline class="leader %s" points="%.1f,%.1f %d,%.1f"/>' % (kind, x.at(line[-1][0]) + 4, y.at(line[-1][1]), edge, height))
        out.append('<text class="%s" x="%d" y="%.1f">%s</text>' % (kind, edge + 3, height + 4, escape(label)))
    return out


def series_of(results, ours, theirs):
    """Lines of both programs by job, from the slowest; a figure that was cut off is left out."""
    jobs = list(dict.fromkeys(row.job for row in results.rows))
    lines = []
    for name, kind, key in (('TensorFlow', 'theirs', theirs), ('tfprof', 'ours', ours)):
        for job in jobs:
            points = [(row.nodes, getattr(row, key)) for row in results.rows
                      if row.job == job and getattr(row, key) and not (kind == 'theirs' and row.peer_ended)]
            if points:
                lines.append(('%s %s' % (name, job), kind, points))
    return lines


def draw(path, results):
    floor = [(text, 'floor', [(nodes, floor[key]) for nodes, floor in results.floors.items()])
             for text, key in (('walk the fields', 'walk'), ('read the bytes', 'read'))]
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">' % (WIDTH, HEIGHT, WIDTH, HEIGHT),
             '<title>CPU time and private memory of tfprof, of TensorFlow\'s profiler and of the least any reader does</title>',
             '<style>%s\n</style>' % STYLE, '<rect class="ground" width="%d" height="%d" rx="6"/>' % (WIDTH, HEIGHT),
             '<text class="faint" x="%d" y="24">Load and one view, one thread. Both axes are logarithmic.</text>' % LEFTS[0],
             *panel('CPU time', LEFTS[0], series_of(results, 'cpu', 'peer_cpu') + floor, time_tick),
             *panel('Private memory', LEFTS[1], series_of(results, 'memory', 'peer_memory'), size_tick), '</svg>']
    with open(path, 'w') as out:
        out.write('\n'.join(lines) + '\n')
