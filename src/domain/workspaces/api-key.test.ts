import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { mayBeKey, newApiKey, newNamedKey, storedForm } from './api-key.ts';

it('a named key with one other character is no key, so that it costs no query', () => {
  const key = newNamedKey();
  expect(key).toMatch(/^cw_key_[0-9A-Za-z]{32}$/);
  expect(mayBeKey(key)).toBe(true);
  fc.assert(
    fc.property(
      fc.integer({ min: 7, max: key.length - 1 }),
      fc.constantFrom('0', 'z', 'A', '_'),
      (at, other) => {
        fc.pre(key[at] !== other);
        expect(mayBeKey(`${key.slice(0, at)}${other}${key.slice(at + 1)}`)).toBe(false);
      },
    ),
  );
});

it('keys of workspaces keep their form, and those of other forms stay valid', () => {
  expect(newApiKey()).toMatch(/^cw_live_[0-9A-Za-z]{32}$/);
  for (const key of [
    'cw_live_0123456789abcdefghij',
    '6f1c9f6a-53c4-4a0e-9d8a-5f2c44b0c1aa',
    'older_key_0123456789',
  ]) {
    expect(mayBeKey(key)).toBe(true);
  }
});

it('shows the prefix and the last four characters of a key', () => {
  const key = newNamedKey();
  expect(storedForm(key)).toMatchObject({ shownPrefix: 'cw_key_', shownLast4: key.slice(-4) });
});
