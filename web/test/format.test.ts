import assert from 'node:assert/strict';
import test from 'node:test';
import { toCsv } from '../src/components/save';
import { exact, middle, readable, signed } from '../src/format';

test('figures read as the single files had them', () => {
  assert.equal(readable('time', 999), '999\u202fµs');
  assert.equal(readable('time', 1234), '1.23\u202fms');
  assert.equal(readable('time', 12_345_678), '12.35\u202fs');
  assert.equal(readable('bytes', 1_500_000), '1.50\u202fMB');
  assert.equal(readable('count', 999_999), '999,999');
  assert.equal(readable('count', 1_234_567), '1.23M');
  assert.equal(readable('count', null), 'n/a');
});

test('numbers beyond 2^53 keep every digit', () => {
  assert.equal(exact('bytes', '9223372036854775807'), '9,223,372,036,854,775,807 bytes');
  assert.equal(exact('time', 1.25), '1.25 µs');
});

test('growth has a sign', () => {
  assert.equal(signed('bytes', 1000), '+1.00\u202fKB');
  assert.equal(signed('count', -3), '−3');
  assert.equal(signed('count', 0), '0');
});

test('long names keep both ends', () => {
  assert.equal(middle('abcdefghij', 5), 'ab…ij');
  assert.equal(middle('abc', 5), 'abc');
});

test('names that spreadsheets would take for formulas are text', () => {
  assert.equal(toCsv(['a', 'b'], [['=1+1', -5], ['x,"y"', null]]), 'a,b\r\n\'=1+1,-5\r\n"x,""y""",\r\n');
});
