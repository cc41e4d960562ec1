import assert from 'node:assert/strict';
import test from 'node:test';
import { largestFirst, layout } from '../src/flame/layout';
import { LocalTree } from '../src/tree/local_tree';
import type { ViewData } from '../src/types';

// all ─ a ─ a/x, a/y; b. Names as the server packs them.
function view(): ViewData {
  return {
    view: 'scope', hides_root: false, main: 0, columns: [{ name: 'micros', title: 'time', unit: 'time', recorded: true }], text_columns: [{ title: 'op' }], lists: ['Add'],
    depth: [0, 1, 2, 2, 1], names: ['_TFProfRoot', 'a', '/x', '/y', '=/odd'],
    own: [[0, 1, 2, 3, 4]], total: [[10, 6, 2, 3, 4]], text: [[null, null, 0, 'Mul', null]],
  };
}

const labels = (tree: LocalTree) => tree.visible().map((row) => tree.label(row));

test('names are put together from what the server packed', () => {
  const tree = new LocalTree(view());
  assert.deepEqual(tree.rows.names, ['_TFProfRoot', 'a', 'a/x', 'a/y', '/odd']);
  assert.deepEqual(labels(tree), ['all', 'a', 'x', 'y', '/odd']);
});

test('rows fold, alone and with what is below them', () => {
  const tree = new LocalTree(view());
  tree.toggle(1);
  assert.deepEqual(tree.visible(), [0, 1, 4]);
  tree.openAll(false);
  assert.deepEqual(tree.visible(), [0, 1, 4]);
  tree.toggle(0, true);
  assert.deepEqual(tree.visible(), [0]);
});

test('siblings are sorted by a figure, and by name', () => {
  const tree = new LocalTree(view());
  tree.sort({ key: 'total:micros', up: true });
  assert.deepEqual(tree.visible(), [0, 4, 1, 2, 3]);
  tree.sort({ key: 'name', up: false });
  assert.deepEqual(tree.visible(), [0, 1, 3, 2, 4]);
  tree.sort(null);
  assert.deepEqual(tree.visible(), [0, 1, 2, 3, 4]);
});

test('a filter keeps matches, what is above and what is below them', () => {
  const tree = new LocalTree(view());
  assert.equal(tree.filter('/y$/'), true);
  assert.deepEqual(tree.visible(), [0, 1, 3]);
  assert.equal(tree.matches, 1);
  assert.equal(tree.isMatch(1), false);
  tree.filter('add');  // the text of a column, listed once
  assert.deepEqual(tree.visible(), [0, 1, 2]);
  assert.equal(tree.filter('/(/'), false);
});

test('a chain of a hundred thousand rows is as good as any tree', () => {
  const size = 100_000, chain = view();
  chain.depth = Array.from({ length: size }, (_, k) => k);
  chain.names = Array.from({ length: size }, (_, k) => 'n' + k);
  chain.own = chain.total = [Array.from({ length: size }, () => 1)];
  chain.text = [[]];
  const tree = new LocalTree(chain);
  tree.openAll(true);
  assert.equal(tree.visible().length, size);
});

test('flame graphs leave out what cannot be seen, and say how much', async () => {
  const tree = new LocalTree(view());
  const flame = await tree.flame(0, 'micros', 0.35);
  assert.deepEqual(flame.rows, [0, 1, 4]);
  assert.deepEqual(flame.left_out, [0, 5, 0]);
  const { frames, levels } = layout(flame, 1000);
  assert.equal(levels, 2);
  assert.deepEqual(frames.map((frame) => [frame.row, Number(frame.left.toFixed(9)), Number(frame.width.toFixed(9))]), [[0, 0, 1], [1, 0, 0.6], [4, 0.6, 0.4]]);
});

test('children that sum to more than their row share its width', () => {
  const flame = { figure: 'micros', total: 10, rows: [0, 1, 2], depths: [0, 1, 1], labels: ['a', 'b', 'c'], totals: [10, 10, 10], left_out: [0, 0, 0] };
  assert.deepEqual(layout(flame, 1000).frames.map((frame) => frame.width), [1, 0.5, 0.5]);
});

test('the widest of siblings comes first, with all that is below it', () => {
  const flame = { figure: 'micros', total: 10, rows: [0, 1, 2, 3], depths: [0, 1, 2, 1], labels: ['r', 's', 't', 'u'], totals: [10, 3, 3, 7], left_out: [0, 0, 0, 0] };
  assert.deepEqual(largestFirst(flame).labels, ['r', 'u', 's', 't']);
});
