import { expect, it } from 'vitest';
import { isListed, isRange } from './address-list.ts';

it.each([
  ['203.0.113.7', ['203.0.113.0/24'], true],
  ['203.0.114.7', ['203.0.113.0/24'], false],
  ['::ffff:203.0.113.7', ['203.0.113.7'], true],
  ['203.0.113.7', ['2001:db8::/32', '203.0.113.7/32'], true],
  ['2001:db8::1', ['2001:db8::/32'], true],
  ['2001:db9::1', ['2001:db8::/32', '0.0.0.0/0'], false],
  ['203.0.113.7', [], false],
  ['not an address', ['0.0.0.0/0'], false],
])('%s is in the list %j: %s', (address, list, expected) => {
  expect(isListed(address, list)).toBe(expected);
});

it('a list holds addresses and ranges only', () => {
  expect(['203.0.113.7', '203.0.113.0/24', '2001:db8::/32'].map(isRange)).toEqual([true, true, true]);
  expect(['example.com', '203.0.113.0/33', '', '203.0.113'].map(isRange)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
