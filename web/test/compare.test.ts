import assert from 'node:assert/strict';
import test from 'node:test';
import { firstSides, formatSides, parseSides, sideQuery } from '../src/compare/sides';
import { pieces } from '../src/tabs/advice_links';
import { LocalTree } from '../src/tree/local_tree';
import type { ViewData } from '../src/types';

test('what is compared is read back as it was written', () => {
  const sides = [{ run: '0', step: '' }, { run: '1', step: '10' }];
  assert.deepEqual(parseSides(formatSides(sides)), sides);
  assert.deepEqual(sides.map(sideQuery), ['0', '1@step=10']);
});

test('steps of a run are compared first, else two runs', () => {
  assert.equal(formatSides(firstSides({ id: '3', steps: [1, 10, 100] }, [])), '3@1,3@100');
  assert.equal(formatSides(firstSides({ id: '1', steps: [] }, [{ id: '0' }, { id: '1' }])), '0,1');
});

test('a comparison has its inputs, the difference with its sign, and what renamed rows were', async () => {
  const view: ViewData = {
    view: 'scope', hides_root: false, main: 0, columns: [{ name: 'micros', title: 'time', unit: 'time', recorded: true }], text_columns: [], lists: [],
    depth: [0, 1, 1], names: ['_TFProfRoot', 'a', 'b'], own: [[0, 0, 0]], total: [[0, 0, 0]], text: [],
    comparison: {
      inputs: [{ name: 'left', source: 'runs/old', steps: '' }, { name: 'right', source: 'runs/new@step=10', steps: 'step 10' }],
      figures: ['micros'], status: ['common', 'common', 'added'], cells: [[[[0, 10], [0, 16]], [[0, 10], [0, 8]], [null, [8, 8]]]],
      difference: [[6, -2, 8]], was: { 1: ['old_a', ''] }, renames: [], limits: [],
    },
  };
  const tree = new LocalTree(view);
  assert.deepEqual(tree.columns.map((c) => c.title), ['old', 'new, step 10', 'difference']);
  assert.deepEqual(tree.columns.map((c) => c.value(2)), [null, 8, 8]);
  assert.deepEqual(tree.texts.map((t) => t.value(1)), ['common', 'old_a']);
  const flame = await tree.flame(0, 'micros', 0);
  assert.deepEqual(flame.growths, [0.375, -0.2, 1]);
});

test('advice names places that can be opened, and devices are none', () => {
  const links = (text: string) => pieces(text).filter((piece) => piece.link).map((piece) => [piece.text, piece.link!.values.view]);
  assert.deepEqual(links('top 1 operation type: Conv2D, cpu: 2.25ms'), [['Conv2D', 'op']]);
  assert.deepEqual(links('top 1 scope: unit_0_0, cpu: 3ms'), [['unit_0_0', 'scope']]);
  assert.deepEqual(links('generate.py:403:<module> (gradient), cpu: 6ms'), [['generate.py:403:<module>', 'code']]);
  assert.deepEqual(links('/job:localhost/replica:0/task:0/device:cpu:0: 6 tensors'), []);
  assert.deepEqual(links('stem/Conv2D: 524KB, last read by gradients/stem/Bias_grad'), [['stem/Conv2D', 'graph'], ['gradients/stem/Bias_grad', 'graph']]);
  assert.equal(pieces('a b/c d').map((piece) => piece.text).join(''), 'a b/c d');
});
