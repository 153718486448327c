import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENTS } from '../statements/agents.ts';
import { CALL_CONFIG } from '../statements/call-config.ts';
import { CALLS } from '../statements/calls.ts';
import { CAMPAIGN_ENDPOINTS } from '../statements/campaigns.ts';
import { ENDPOINTS } from '../statements/endpoints.ts';
import { CALL_RECORDS } from '../statements/call-records.ts';
import { RECORDS } from '../statements/records.ts';
import { RULES } from '../statements/rules.ts';
import { SERVICE } from '../statements/service.ts';
import { createWorld, type Statement, type World } from '../statements/statement.ts';

/**
 * The interface document, statement by statement: each is tested here, tested elsewhere, or marked as not implemented.
 * Statements are only added, and open ones may become tested.
 */
const STATEMENTS: readonly Statement[] = [
  ...SERVICE,
  ...AGENTS,
  ...CALL_CONFIG,
  ...RECORDS,
  ...CALL_RECORDS,
  ...ENDPOINTS,
  ...CALLS,
  ...CAMPAIGN_ENDPOINTS,
  ...RULES,
];
const AT_LEAST = 315;
const AT_MOST_OPEN = 2;

const root = join(import.meta.dirname, '../..');
let world: World & { close: () => Promise<void> };
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** Whether the service has the route that a statement needs. */
function hasRoute(needs: string): boolean {
  const [method = '', path = ''] = needs.split(' ');
  const url = `/api/v0${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  return world.api.server.hasRoute({ method, url });
}
const isOpen = (s: Statement): boolean =>
  s.open !== undefined || (s.needs !== undefined && !hasRoute(s.needs));

describe.each([...Map.groupBy(STATEMENTS, (s) => s.section).keys()])('%s', (name) => {
  const own = STATEMENTS.filter((s) => s.section === name && s.prove !== undefined);
  it.skipIf(own.length === 0).each(own)('$sentence', async (statement) => {
    expect(statement.prove).toBeTypeOf('function');
    if (statement.needs === undefined || hasRoute(statement.needs)) await statement.prove?.(world);
  });
});

describe('the table of statements', () => {
  it('lists each statement once, in one state', () => {
    const keys = STATEMENTS.map((s) => `${s.section}: ${s.sentence}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    const ways = STATEMENTS.map((s) => [s.prove, s.elsewhere, s.open].filter((w) => w !== undefined).length);
    expect(ways.every((count) => count === 1)).toBe(true);
  });

  it.each(STATEMENTS.filter((s) => s.elsewhere !== undefined))(
    'is proved by $elsewhere',
    ({ elsewhere = '' }) => {
      const [file = '', title = ''] = elsewhere.split(' > ');
      expect(readFileSync(join(root, file), 'utf8')).toContain(title);
    },
  );

  it('never shrinks, and the number of open statements never grows', () => {
    const open = STATEMENTS.filter(isOpen);
    const elsewhere = STATEMENTS.filter((s) => s.elsewhere !== undefined);
    const proven = STATEMENTS.length - open.length - elsewhere.length;
    console.log(
      `statements ${STATEMENTS.length}, proven ${proven}, elsewhere ${elsewhere.length}, open ${open.length}`,
    );
    for (const s of open) console.log(`open: ${s.section}: ${s.sentence} (${s.open ?? `needs ${s.needs}`})`);
    expect(STATEMENTS.length).toBeGreaterThanOrEqual(AT_LEAST);
    expect(open.length).toBeLessThanOrEqual(AT_MOST_OPEN);
  });
});
