import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MICRO_CREDITS } from '../../src/domain/credits/price.ts';
import { workspaceLimits } from '../../src/domain/workspaces/limits.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { FamilyBooks, type Member, type Step } from '../helpers/money/family-books.ts';
import { StoredFamily } from '../helpers/money/stored-family.ts';

let database: TestDatabase;
let stored: StoredFamily;
beforeAll(async () => {
  database = await createTestDatabase();
  stored = await StoredFamily.create(database.db);
});
afterAll(() => database?.close());

const MEMBERS = 3;
const who = fc.nat({ max: MEMBERS - 1 });
const byStranger = fc.boolean();
const item = fc.nat({ max: 6 });
const talkMs = fc.integer({ min: 0, max: 400_000 });
const amount = fc.record({ amount: fc.integer({ min: 1, max: 3 * MICRO_CREDITS }) });
const turns = fc.record({
  each: fc.integer({ min: 1, max: MICRO_CREDITS }),
  most: fc.integer({ min: 1, max: 6 }),
});
const hold = fc.oneof(
  fc.record({ kind: fc.constantFrom('chat' as const, 'test' as const, 'analysis' as const), price: turns }),
  fc.record({
    kind: fc.constantFrom('embedding' as const, 'search' as const, 'preview' as const, 'analysis' as const),
    price: amount,
  }),
);
const take: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('inbound' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('webcall' as const), who, byStranger }) },
  {
    weight: 4,
    arbitrary: fc
      .record({ do: fc.constant('hold' as const), who, byStranger, hold })
      .map(({ hold: held, ...step }) => ({ ...step, ...held })),
  },
);
const move: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('transfer' as const, 'refer' as const), item }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('leg' as const),
      item,
      leg: fc.integer({ min: 1, max: 2 }),
      talkMs,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      item,
      talkMs,
      share: fc.constantFrom(0, 0.3, 0.5, 1),
    }),
  },
);
const outbound: fc.Arbitrary<Step> = fc.record({ do: fc.constant('outbound' as const), who });

const cap = (max: number) => fc.option(fc.integer({ min: 1, max }), { nil: undefined, freq: 2 });
const limits = fc.record({
  calls_per_minute: cap(6),
  credits_per_day: cap(20),
  stranger_calls_per_minute: cap(4),
  stranger_credits_per_day: cap(10),
  model_turns_per_day: cap(12),
});
const credits = fc.integer({ min: 0, max: 25 * MICRO_CREDITS });
const family = fc.record({
  credits: fc.tuple(credits, credits, credits),
  limits: fc.tuple(limits, limits, limits),
  parentLines: fc.integer({ min: 1, max: 5 }),
  childLines: fc.integer({ min: 0, max: 2 }),
});
type Family = typeof family extends fc.Arbitrary<infer T> ? T : never;

/** The first child has lines of its own; the parent and the second share what it leaves. */
function membersOf({ credits: all, limits: declared, childLines }: Family): Member[] {
  const [parent] = declared;
  return declared.map((own, index) => ({
    credits: all[index] ?? 0,
    caps: workspaceLimits({ limits: own, ...(index === 0 ? {} : { parent: { limits: parent } }) }).caps,
    ownLines: index === 1 ? childLines : null,
  }));
}

/** Begins the family anew, with its books in memory. */
async function open(terms: Family): Promise<FamilyBooks> {
  const members = membersOf(terms);
  await stored.begin(members, terms.limits, terms.parentLines);
  return new FamilyBooks(members, terms.parentLines);
}

/**
 * Compares every book of the family with the models, and with the calls and holds that are open. Returns the models that
 * agree: orders of steps at once may end with the same books, and differ in what a later settlement frees.
 */
async function agreeing(models: readonly FamilyBooks[]): Promise<FamilyBooks[]> {
  const { books, locked, strangers } = await stored.books();
  const same = models.filter(
    (model) => JSON.stringify(sorted(model.books)) === JSON.stringify(sorted(books)),
  );
  expect(books).toEqual((same[0] ?? models[0])?.books);
  expect(locked).toEqual(books.map((each) => each.locked));
  expect(strangers).toEqual(books.map((each) => each.strangerLocked));
  return same;
}

/** Settles what is open; then nothing is locked, and the ledger has what the balances lost. */
async function close(models: readonly FamilyBooks[], ledgerBefore: readonly number[]): Promise<void> {
  let left = models;
  for (const key of models[0]?.open ?? []) {
    const step = { do: 'settle', item: key, talkMs: 90_000, share: 0.5 } as const;
    await stored.apply(-1, step);
    for (const model of left) model.apply(-1, step);
    left = await agreeing(left);
  }
  await agreeing(left);
  const { books } = await stored.books();
  expect(books.map(({ locked, strangerLocked, live }) => [locked, strangerLocked, live])).toEqual(
    books.map(() => [0, 0, 0]),
  );
  const after = await stored.ledger();
  expect(after.map((sum, index) => sum - (ledgerBefore[index] ?? 0))).toEqual(
    books.map(({ charged }) => charged),
  );
}

/** Every order of some steps. */
function ordersOf<T>(steps: readonly T[]): T[][] {
  if (steps.length < 2) return [[...steps]];
  return steps.flatMap((first, at) => ordersOf(steps.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

describe('any interleaving of admissions and settlements over a family of workspaces', () => {
  it('moves the stored money as the rules say, step by step, for every kind', async () => {
    await fc.assert(
      fc.asyncProperty(
        family,
        fc.array(
          fc.oneof(
            { weight: 1, arbitrary: outbound },
            { weight: 4, arbitrary: take },
            { weight: 4, arbitrary: move },
          ),
          {
            minLength: 3,
            maxLength: 9,
          },
        ),
        async (terms, steps) => {
          const model = await open(terms);
          const before = await stored.ledger();
          for (const [key, step] of steps.entries()) {
            const isMoved = await stored.apply(key, step);
            expect([step.do, isMoved]).toEqual([step.do, model.apply(key, step)]);
            await agreeing([model]);
          }
          await close([model], before);
        },
      ),
      { numRuns: 750 },
    );
  }, 900_000);

  it('of several connections at once ends as one of their orders does', async () => {
    await fc.assert(
      fc.asyncProperty(
        family,
        fc.array(fc.array(fc.oneof(take, move), { minLength: 2, maxLength: 3 }), {
          minLength: 2,
          maxLength: 3,
        }),
        async (terms, rounds) => {
          let models: readonly FamilyBooks[] = [await open(terms)];
          const before = await stored.ledger();
          let key = 0;
          for (const round of rounds) {
            const steps = round.map((step) => ({ key: key++, step }));
            const known = new Set(models[0]?.open);
            // What begins in the same round is not known to the others.
            const ready = steps.filter(({ step }) => !('item' in step) || known.has(step.item));
            const outcomes = new Map(
              await Promise.all(
                ready.map(async (each) => [each.key, await stored.apply(each.key, each.step)] as const),
              ),
            );
            const { books } = await stored.books();
            const explained = models.flatMap((model) =>
              ordersOf(ready).flatMap((order) => {
                const tried = model.copy();
                const isSame = order.every(
                  (each) => tried.apply(each.key, each.step) === outcomes.get(each.key),
                );
                return isSame && JSON.stringify(sorted(tried.books)) === JSON.stringify(sorted(books))
                  ? [tried]
                  : [];
              }),
            );
            expect({ explained: explained.length > 0, ready, books }).toMatchObject({ explained: true });
            models = explained;
          }
          await close(models, before);
        },
      ),
      { numRuns: 250 },
    );
  }, 900_000);
});

const sorted = (books: readonly object[]): object[] =>
  books.map((each) => Object.fromEntries(Object.entries(each).sort(([a], [b]) => a.localeCompare(b))));
