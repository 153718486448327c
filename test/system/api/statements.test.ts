import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENTS } from '../../statements/agents.ts';
import { CALL_CONFIG } from '../../statements/call-config.ts';
import { CALLS } from '../../statements/calls.ts';
import { CAMPAIGN_ENDPOINTS } from '../../statements/campaigns.ts';
import { ENDPOINTS } from '../../statements/endpoints.ts';
import { CALL_RECORDS } from '../../statements/call-records.ts';
import { RECORDS } from '../../statements/records.ts';
import { RULES } from '../../statements/rules.ts';
import { SERVICE } from '../../statements/service.ts';
import { createWorld, type Statement, type World } from '../../statements/statement.ts';

/**
 * The interface document, statement by statement: each is proved here or by a test that it names. Statements are only
 * added.
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

const root = join(import.meta.dirname, '../../..');
let world: World & { close: () => Promise<void> };
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const PROVED_HERE = STATEMENTS.filter(({ prove }) => prove !== undefined);

describe.each([...Map.groupBy(PROVED_HERE, ({ section }) => section)])('%s', (_section, own) => {
  it.each(own)('$sentence', async (statement) => {
    expect(statement.prove).toBeTypeOf('function');
    await statement.prove?.(world);
  });
});

describe('the table of statements', () => {
  it('lists each statement once, with one proof', () => {
    const keys = STATEMENTS.map((s) => `${s.section}: ${s.sentence}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    const ways = STATEMENTS.map((s) => [s.prove, s.elsewhere].filter((w) => w !== undefined).length);
    expect(ways.every((count) => count === 1)).toBe(true);
  });

  it.each(STATEMENTS.filter((s) => s.elsewhere !== undefined))(
    'is proved by $elsewhere',
    ({ elsewhere = '' }) => {
      const [file = '', title = ''] = elsewhere.split(' > ');
      expect(readFileSync(join(root, file), 'utf8')).toContain(title);
    },
  );

  it('never shrinks', () => {
    const elsewhere = STATEMENTS.filter((s) => s.elsewhere !== undefined);
    console.log(
      `statements ${STATEMENTS.length}, proved here ${PROVED_HERE.length}, elsewhere ${elsewhere.length}`,
    );
    expect(STATEMENTS.length).toBeGreaterThanOrEqual(AT_LEAST);
  });
});
