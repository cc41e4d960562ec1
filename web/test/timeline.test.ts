import assert from 'node:assert/strict';
import test from 'node:test';
import { arrowsIn, arrowsOf } from '../src/timeline/draw_lanes';
import { density, mostIn } from '../src/timeline/draw_below';
import { nextHit, previousHit } from '../src/timeline/find';
import { barsInSight } from '../src/timeline/in_sight';
import { barAt, layout, neighbour, placedAt } from '../src/timeline/layout';
import { parseRange, rangeOf, toggled } from '../src/timeline/marks';
import { matcher } from '../src/timeline/matches';
import { barOf, formatSpot, nextRow, parseSpot } from '../src/timeline/select';
import { kindOf, mix, rankKinds } from '../src/timeline/shades';
import { Store } from '../src/timeline/store';
import type { Hit, TimelineAnswer } from '../src/timeline/types';
import { fit, isStale, moveBy, reveal, wanted, zoomAt } from '../src/timeline/view';

function answer(from = 0, to = 100): TimelineAnswer {
  const bars = { row: [0, 0, 1], start: [0, 50, 10], length: [40, 50, 5], count: [1, 4, 1], busy: [40, 25, 5], name: [0, 1, 2], node: [1, null, 3] };
  return {
    step: 1, steps: [1], from, to, span: 100, events: 6, names: ['a/MatMul', 'b/Add_1', 'c/Mul'], arrows: [], memory: [],
    lanes: [{ id: 7, process: 'gpu', name: 'stream', rows: 2, bars }, { id: 9, process: 'cpu', name: 'thread', rows: 1, bars: { ...bars, row: [0, 0, 0] } }],
  };
}

test('zooming keeps the moment below the pointer, and stays inside the step', () => {
  assert.deepEqual(zoomAt({ from: 0, to: 100 }, 25, 0.5, 100), { from: 12.5, to: 62.5 });
  assert.deepEqual(zoomAt({ from: 20, to: 40 }, 30, 100, 100), { from: 0, to: 100 });
  assert.deepEqual(moveBy({ from: 20, to: 40 }, 1e15, 100), { from: 80, to: 100 });
  assert.deepEqual(fit({ from: -10, to: 10 }, 100), { from: 0, to: 20 });
});

test('what a search finds is brought into sight, closer only where it cannot be made out', () => {
  const view = { from: 0, to: 100 };
  assert.equal(reveal(view, 10, 20, 1000, 100), view);
  const close = reveal(view, 50, 0.1, 1000, 100);
  assert.ok(close.from < 50 && close.to > 50.1 && close.to - close.from < 2);
  assert.deepEqual(reveal({ from: 0, to: 10 }, 50, 2, 1000, 100), { from: 46, to: 56 });
});

test('the server is asked with a margin, and again when that is left or too coarse', () => {
  const ask = wanted({ from: 40, to: 60 }, 1000, 100);
  assert.deepEqual(ask, { from: 30, to: 70, pixels: 2000 });
  assert.equal(isStale(ask, { from: 35, to: 55 }, 1000), false);
  assert.equal(isStale(ask, { from: 55, to: 75 }, 1000), true);
  assert.equal(isStale(ask, { from: 45, to: 55 }, 1000), true);
  assert.equal(isStale(null, { from: 0, to: 1 }, 1000), true);
});

test('one request at a time; the last window asked for wins', async () => {
  const asked: (number | null)[] = [];
  const store = new Store(async (from, to) => { asked.push(from); return answer(from ?? 0, to ?? 100); }, () => {});
  store.show(null, 1000);
  for (const from of [10, 20, 30]) store.show({ from, to: from + 10 }, 1000);
  await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(asked, [null, 25]);
  assert.equal(store.answerFor({ from: 30, to: 40 })!.from, 25);
  assert.equal(store.answerFor({ from: 80, to: 90 }), store.whole);
});

test('a failure is kept, and nothing is asked after it', async () => {
  let count = 0;
  const store = new Store(async () => { ++count; throw new Error('gone'); }, () => {});
  store.show(null, 1000);
  await new Promise((done) => setTimeout(done, 5));
  store.show({ from: 1, to: 2 }, 1000);
  assert.equal(store.error, 'gone');
  assert.equal(count, 1);
});

test('lanes lie below their processes; a folded one is a line, a folded process its heading', () => {
  const open = layout(answer(), new Set()), lane = layout(answer(), new Set(['l7'])), process = layout(answer(), new Set(['p7']));
  assert.deepEqual(open.placed.map((one) => one.key), ['p7', 'l7', 'p9', 'l9']);
  assert.ok(lane.height < open.height);
  assert.deepEqual(process.placed.map((one) => one.key), ['p7', 'p9', 'l9']);
  assert.equal(placedAt(open.placed, open.placed[1]!.y + 1)!.key, 'l7');
});

test('the bar below the pointer, of its row', () => {
  const data = answer(), where = layout(data, new Set()).placed[1]!, lane = data.lanes[0]!;
  assert.equal(barAt(lane, where, where.body + 1, 12, 0), 0);
  assert.equal(barAt(lane, where, where.body + 19, 12, 0), 2);
  assert.equal(barAt(lane, where, where.body + 1, 45, 0), -1);
  assert.equal(barAt(lane, where, where.body + 1, 45, 6), 0);
  assert.equal(neighbour(lane, 0, 0, 1), 1);
  assert.equal(neighbour(lane, 0, 0, -1), -1);
});

test('a selection is found again in another level of detail', () => {
  const data = answer();
  assert.deepEqual(barOf(data, parseSpot('7:0:60.5')!), { lane: 0, bar: 1 });
  assert.equal(barOf(data, parseSpot('8:0:60.5')!), null);
  assert.equal(parseSpot('1:2'), null);
  assert.equal(parseSpot(formatSpot({ lane: 7, row: 0, start: 0.1 + 0.2 }))!.start, 0.1 + 0.2);
  assert.deepEqual(nextRow(data, layout(data, new Set()).placed, { lane: 0, bar: 0 }, 0, 1), { lane: 0, bar: 2 });
  assert.deepEqual(nextRow(data, layout(data, new Set(['p7'])).placed, null, 60, 1), { lane: 1, bar: 1 });
});

test('from hit to hit, both ways, however many there are', async () => {
  const all: Hit[] = Array.from({ length: 1000 }, (_, k) => ({ lane: 0, row: 0, start: k, length: 0.5, name: 'x' }));
  const ask = async (from: number) => ({ count: all.length, found: all.filter((hit) => hit.start >= from).slice(0, 100) });
  assert.equal((await nextHit(ask, all[500]!, 0))!.start, 501);
  assert.equal((await nextHit(ask, null, 10.5))!.start, 11);
  assert.equal((await nextHit(ask, all[999]!, 0))!.start, 0);
  assert.equal((await previousHit(ask, all[500]!, 0, 1000))!.start, 499);
  assert.equal((await previousHit(ask, null, 700, 1000))!.start, 699);
  assert.equal(await previousHit(ask, all[0]!, 0, 1000), null);
});

test('words and expressions', () => {
  assert.equal(matcher('  '), null);
  assert.equal(matcher('mat layer_1')!('x/layer_1/MatMul'), true);
  assert.equal(matcher('/^x.*Mul$/')!('x/layer_1/MatMul'), true);
  assert.equal(matcher('/(/')!('('), false);
});

test('what is in sight, the longest first', () => {
  const { rows, count } = barsInSight(answer(), { from: 0, to: 30 }, 2);
  assert.equal(count, 4);
  assert.deepEqual(rows.map((row) => row.length), [40, 40]);
});

test('how busy the step is, in small; memory in sight', () => {
  const busy = density(answer(), 10);
  assert.equal(busy[0], 1);
  assert.equal(busy[4], 0);
  assert.equal(busy[9], 0.5);
  assert.equal(mostIn({ times: [0, 10, 20], bytes: [5, 9, 1] }, { from: 12, to: 30 }), 9);
});

test('arrows in sight, and those of a bar', () => {
  const data: TimelineAnswer = { ...answer(), arrows: [[7, 12, 9, 60, 1, 0], [9, 5, 9, 60, 0, 0], [7, 80, 9, 90, 0, 0]] };
  assert.equal(arrowsIn(data, { from: 0, to: 70 }).length, 2);
  assert.deepEqual(arrowsOf(data, data.arrows, { lane: 0, bar: 2 }), [data.arrows[0]]);
  assert.deepEqual(arrowsOf(data, data.arrows, { lane: 0, bar: 1 }), [data.arrows[2]]);
});

test('kinds of ops, shades, and what the address holds', () => {
  assert.equal(kindOf('a/b/MatMul_12'), 'MatMul');
  assert.equal(kindOf('42'), '42');
  assert.deepEqual(rankKinds(answer()), ['MatMul', 'Add', 'Mul']);
  assert.equal(mix('#ffffff', '#000000', 0.5), '#808080');
  assert.deepEqual(parseRange('1.5:2'), { from: 1.5, to: 2 });
  assert.equal(parseRange('x:2'), null);
  assert.equal(rangeOf('', ''), null);
  assert.equal(rangeOf('2', '1'), null);
  assert.equal(toggled(new Set(['a', 'b']), 'a'), 'b');
  assert.equal(toggled(new Set(['b']), 'a'), 'a,b');
});
