import assert from 'node:assert/strict';
import test from 'node:test';
import { linear } from '../src/draw/scale';
import { fragmentation, unnamedAtPeak } from '../src/memory/figures';
import { stretches } from '../src/memory/Fragmentation';
import { liveSheet, serverSort, sortTensors, splitName } from '../src/memory/live_sheet';
import { ColorBook, deviceNames, isRest, layerLabel, shortDevice } from '../src/memory/names';
import { edgesOf, heightOf, indexIn, layerAt, layersSheet, legendMoment, nextChange, outline, someSteps, stacked, stairs, windowOf, zoomed } from '../src/memory/stack';
import type { LayersAnswer } from '../src/memory/types';

const ALL = { from: 0, to: 10 };
const ANSWER: LayersAnswer = {
  step: 1, steps: [1], devices: [], device: 'd', allocator: null, evidence: 'recorded', by: 'class', from: 0, to: 10, begin: 0, span: 10, peak: { bytes: 60, micros: 4 },
  times: [0, 4, 8], layers: [{ name: 'activations', bytes: [10, 40, 0] }, { name: 'gradients', bytes: [0, 10, 30] }, { name: 'not attributed', bytes: [10, 10, 10] }],
  total: [20, 60, 40], measured: null, capacity: null, fragmentation: null, exact: true, notes: [],
};

test('layers add up to the total at each time, with what has no name at the bottom', () => {
  const layers = stacked(ANSWER.layers);
  assert.equal(layers[0]!.name, 'not attributed');
  const edges = edgesOf(layers, 3);
  assert.deepEqual([...edges[3]!], ANSWER.total);
  assert.deepEqual([...edges[1]!], [10, 10, 10]);
});

test('a curve holds its value until the next time, the last one until the end', () => {
  const x = linear({ from: 0, to: 10 }, 0, 100), y = linear({ from: 0, to: 60 }, 60, 0);
  assert.deepEqual(stairs(ANSWER.times, ANSWER.total, 10, x, y), [0, 40, 40, 40, 40, 0, 80, 0, 80, 20, 100, 20]);
  assert.equal(outline(ANSWER.times, [0, 0, 0], ANSWER.total, 10, x, y).length, 24);
});

test('the layer below the pointer', () => {
  const edges = edgesOf(stacked(ANSWER.layers), 3);
  assert.equal(layerAt(edges, 1, 5), 0);
  assert.equal(layerAt(edges, 1, 10), 1);
  assert.equal(layerAt(edges, 1, 55), 2);
  assert.equal(layerAt(edges, 1, 60), -1);
  assert.equal(layerAt(edges, -1, 5), -1);
});

test('the legend speaks of a moment that is in sight', () => {
  const part = { ...ANSWER, from: 0, to: 3, times: [0, 2], total: [20, 30], layers: [] };
  assert.equal(legendMoment(ANSWER, 9), 9);
  assert.equal(legendMoment(ANSWER, null), 4);
  assert.equal(legendMoment(part, 9), 2);
  assert.equal(indexIn(part, 4), -1);
});

test('capacity is in the picture only where it does not squeeze the rest', () => {
  assert.ok(heightOf({ ...ANSWER, capacity: 80 }) > 80);
  assert.ok(heightOf({ ...ANSWER, capacity: 8000 }) < 70);
  assert.equal(heightOf({ ...ANSWER, total: [0, 0, 0] }), 1);
});

test('keys go from change to change', () => {
  assert.equal(nextChange([0, 4, 8], 4, 1), 8);
  assert.equal(nextChange([0, 4, 8], 5, -1), 4);
  assert.equal(nextChange([0, 4, 8], 4, -1), 0);
  assert.equal(nextChange([0, 4, 8], 8, 10), 8);
  assert.equal(nextChange([0, 4, 8], 0, -10), 0);
});

test('windows stay inside the step; the whole step is no window', () => {
  assert.deepEqual(windowOf(8, -3, ALL), { from: 0, to: 8 });
  assert.equal(windowOf(0, 10, ALL), null);
  assert.equal(windowOf(5, 5, ALL), null);
  assert.deepEqual(zoomed({ from: 0, to: 10 }, 5, 0.5, ALL), { from: 2.5, to: 7.5 });
  assert.equal(zoomed({ from: 2, to: 8 }, 5, 4, ALL), null);
});

test('some of many steps: the first, the last and some between', () => {
  assert.deepEqual(someSteps([1, 10, 100], 3), [1, 10, 100]);
  assert.deepEqual(someSteps([1, 2, 3, 4, 5, 6, 7], 3), [1, 4, 7]);
});

test('what was not recorded is said so, never 0', () => {
  assert.equal(fragmentation(null), null);
  assert.equal(fragmentation([null, null]), null);
  assert.equal(fragmentation([0.1, null, 0.5]), 0.5);
  assert.equal(unnamedAtPeak({ ...ANSWER, peak: null }), null);
  assert.deepEqual(unnamedAtPeak(ANSWER), { bytes: 10, total: 60 });
  assert.deepEqual(liveSheet([]).rows, []);
});

test('tensors are sorted by any column, what is not known last', () => {
  const tensor = (birth: number | null) => ({ birth, name: 'x' }) as never as Parameters<typeof sortTensors>[0][number];
  assert.deepEqual(sortTensors([tensor(null), tensor(1), tensor(3)], 'birth', false).map((one) => one.birth), [3, 1, null]);
  assert.deepEqual(sortTensors([tensor(null), tensor(3), tensor(1)], 'birth', true).map((one) => one.birth), [1, 3, null]);
  assert.equal(serverSort('bytes', false), 'bytes');
  assert.equal(serverSort('bytes', true), null);
  assert.equal(serverSort('shape', true), null);
});

test('fragmentation has gaps where it is not known', () => {
  assert.deepEqual(stretches([0, 4, 8], [0.5, null, 0.25], 10), [[0, 4, 0.5], [8, 10, 0.25]]);
});

test('saved layers have a column each', () => {
  const { heads, rows } = layersSheet(ANSWER);
  assert.deepEqual(heads, ['micros', 'total', 'activations', 'gradients', 'not attributed']);
  assert.deepEqual(rows[1], [4, 60, 40, 10, 10]);
});

test('names of devices are short where that is enough', () => {
  assert.equal(shortDevice('/job:localhost/replica:0/task:0/device:GPU:0'), 'GPU:0');
  const line = (device: string) => ({ device, allocator: 'a', peak_bytes: 1, evidence: 'recorded' });
  assert.deepEqual(deviceNames([line('/task:0/device:GPU:0'), line('/task:1/device:GPU:0')]), ['/task:0/device:GPU:0', '/task:1/device:GPU:0']);
  assert.deepEqual(splitName('a/b/c'), ['a/b/', 'c']);
  assert.equal(layerLabel('/home/x/model.py:12:f', 'code'), 'model.py:12:f');
  assert.equal(layerLabel('not attributed', 'code'), 'not attributed');
  assert.equal(layerLabel('a/b:1', 'op'), 'a/b:1');
  assert.deepEqual(splitName('plain'), ['', 'plain']);
});

test('a layer keeps its colour whichever others are there', () => {
  const book = new ColorBook('scope');
  const layer = (name: string) => ({ name, bytes: [] });
  const first = book.colors([layer('a'), layer('b')], false);
  assert.equal(book.colors([layer('c'), layer('b')], false)[1], first[1]);
  assert.notEqual(first[0], first[1]);
  assert.equal(isRest('(60 others)'), true);
  assert.equal(isRest('others/MatMul'), false);
});
