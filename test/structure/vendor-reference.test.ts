import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { vendorReference } from '../../scripts/vendor-reference.ts';
import { VENDORS } from '../../src/vendors/list.ts';

it('docs/vendors.md is what `node scripts/vendor-reference.ts` writes from the vendors', () => {
  const text = vendorReference();
  expect(readFileSync('docs/vendors.md', 'utf8')).toBe(text);
  for (const { name } of VENDORS) expect(text).toContain(`\n## ${name}\n`);
});
