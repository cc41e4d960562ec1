'use strict';
// Plots of bytes over time: the value under the pointer, or under the arrow keys.

function watchPlot(plot) {
  const points = JSON.parse(plot.querySelector('script').textContent);  // [micros, bytes] pairs
  const span = Number(plot.dataset.span), svg = plot.querySelector('svg');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
  const tip = element('div', 'tip hidden');
  line.setAttribute('class', 'cursor');
  line.setAttribute('y1', 0);
  line.setAttribute('y2', 1000);
  plot.append(tip);
  let at = 0;

  const show = (index) => {
    at = Math.max(0, Math.min(points.length - 1, index));
    const [micros, bytes] = points[at], box = svg.getBoundingClientRect();
    const share = span ? micros / span : 0;
    line.setAttribute('x1', share * 1000);
    line.setAttribute('x2', share * 1000);
    svg.append(line);
    tip.replaceChildren(element('b', '', readable('bytes', bytes)),
                        element('div', 'soft', exact('bytes', bytes) + ' from ' + exact('time', micros)));
    tip.classList.remove('hidden');
    const left = box.left + share * box.width;
    tip.style.left = Math.min(left + 12, innerWidth - tip.offsetWidth - 8) + 'px';
    tip.style.top = box.top + 12 + 'px';
  };
  const hide = () => { line.remove(); tip.classList.add('hidden'); };
  svg.addEventListener('pointermove', (event) => {
    const box = svg.getBoundingClientRect(), micros = (event.clientX - box.left) / box.width * span;
    let low = 0, high = points.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (Number(points[middle][0]) <= micros) low = middle; else high = middle - 1;
    }
    show(low);
  });
  svg.addEventListener('pointerleave', hide);
  svg.addEventListener('blur', hide);
  svg.addEventListener('focus', () => show(at));
  svg.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 }[event.key];
    if (!step) return;
    event.preventDefault();
    show(at + step);
  });
}

document.querySelectorAll('.plot').forEach(watchPlot);
