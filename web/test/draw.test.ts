import assert from 'node:assert/strict';
import test from 'node:test';
import { inkOn } from '../src/draw/colors';
import { momentLabel, tickLabel } from '../src/draw/label';
import { indexAt, linear, roundStep, shorten, ticks } from '../src/draw/scale';
import { escapeXml, svgPen } from '../src/draw/svg_pen';

test('axes name round values, with as many digits as tell them apart', () => {
  assert.equal(roundStep(100, 5), 20);
  assert.deepEqual(ticks({ from: 0, to: 1 }, 4), [0, 0.5, 1]);
  assert.equal(tickLabel('time', 12_345, 1, 12_345), '12.345\u202fms');
  assert.equal(tickLabel('time', 5000, 5000, 25_000), '5\u202fms');
  assert.equal(tickLabel('bytes', 50e6, 50e6, 100e6), '50\u202fMB');
  assert.equal(momentLabel(0, 2000), '0\u202fµs');
});

test('values and pixels', () => {
  const scale = linear({ from: 10, to: 20 }, 0, 100);
  assert.equal(scale.at(15), 50);
  assert.equal(scale.back(50), 15);
  assert.equal(indexAt([0, 4, 8], 4), 1);
  assert.equal(indexAt([0, 4, 8], -1), -1);
  assert.equal(shorten('scope/name', 6), '…/name');
  assert.equal(inkOn('#ffffff'), '#000000');
  assert.equal(inkOn('#1b2330'), '#ffffff');
});

test('hostile names are text in saved pictures', () => {
  const pen = svgPen(10, 10, '#fff');
  pen.text(0, 0, '</text><script>alert(1)</script>\u0007', { color: '"#000' });
  const svg = pen.finish();
  assert.ok(!svg.includes('<script'));
  assert.ok(!svg.includes('\u0007'));
  assert.equal(escapeXml('a😀<'), 'a😀&lt;');
});
