import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyOf, STATEMENTS } from '../../statements/all.ts';
import kept from '../../statements/kept.json' with { type: 'json' };
import { differences } from '../../statements/proofs.ts';
import { createWorld, type World } from '../../statements/statement.ts';

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
    const keys = STATEMENTS.map(keyOf);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    const ways = STATEMENTS.map((s) => [s.prove, s.elsewhere].filter((w) => w !== undefined).length);
    expect(ways.every((count) => count === 1)).toBe(true);
  });

  // A new statement is added to kept.json; one leaves it only with the interface document.
  it('never shrinks', () => {
    expect(differences(kept, STATEMENTS.map(keyOf))).toEqual([]);
  });
});
