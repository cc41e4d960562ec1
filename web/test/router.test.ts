import assert from 'node:assert/strict';
import test from 'node:test';
import { formatPlace, parsePlace, tabAddress } from '../src/router';

test('an address is read back as it was written', () => {
  const place = { tab: 'time', values: { run: '0', name: 'a/b?c&d=é#', q: '/x.*y/' } };
  assert.deepEqual(parsePlace(formatPlace(place)), place);
});

test('the same state has the same address', () => {
  assert.equal(formatPlace({ tab: 'x', values: { b: '1', a: '2' } }), formatPlace({ tab: 'x', values: { a: '2', b: '1' } }));
});

test('nothing, and half an escape, are addresses too', () => {
  assert.deepEqual(parsePlace(''), { tab: '', values: {} });
  assert.deepEqual(parsePlace('#/a%'), { tab: 'a%', values: {} });
});

test('another tab keeps the run and the step alone', () => {
  assert.equal(tabAddress(parsePlace('#/memory?run=1&step=10&at=5'), 'time', { view: 'op' }), '#/time?run=1&step=10&view=op');
});
