import { expect, it } from 'vitest';
import { wireNames } from '../../scripts/wire-names.ts';

/**
 * The domain decides with names of its own: names of columns and of stored documents end at the store, names of the API, of
 * webhooks and of reports begin in `wire` and `http`. What remains are fields that its messages name, statuses and labels that
 * are keys of its tables, ids of audit entries, and what the platform of WhatsApp is sent. `node scripts/wire-names.ts` lists it.
 */
const MOST_LINES = 100;

it('the domain names something in snake_case on few lines', () => {
  const lines = wireNames().reduce((sum, [, count]) => sum + count, 0);
  expect(lines).toBeGreaterThan(0);
  expect(lines).toBeLessThanOrEqual(MOST_LINES);
});
