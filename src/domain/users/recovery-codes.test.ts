import { expect, it } from 'vitest';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';

it('recovery codes have 80 bits, and are found in any case, with blanks and hyphens', async () => {
  const { codes, stored } = await newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{16}$/);
  const [first = ''] = codes;
  for (const entered of [
    first,
    first.toUpperCase(),
    `${first.slice(0, 4)}-${first.slice(4, 8)} ${first.slice(8)}`,
  ]) {
    expect(await recoveryHash(stored, entered)).toBe(stored[0]);
  }
  expect(stored).not.toContain(await recoveryHash(stored, 'aaaabbbbccccdddd'));
  expect(JSON.stringify(stored)).not.toContain(first);
});

it('a recovery code is stored otherwise for each user, and none is found without stored ones', async () => {
  const [one, other] = [await newRecoveryCodes(), await newRecoveryCodes()];
  const [code = ''] = one.codes;
  expect(await recoveryHash(other.stored, code)).not.toBe(one.stored[0]);
  expect(await recoveryHash([], code)).toBeNull();
});
