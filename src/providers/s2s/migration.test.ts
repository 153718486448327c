import { beforeEach, describe, expect, it } from 'vitest';
import { Migration } from './migration.ts';
import { TokenUse } from './token-use.ts';

let isIdle: boolean;
let moves: number;
let due: { readonly ms: number; readonly work: () => void } | null;
let leaving: Migration;
beforeEach(() => {
  [isIdle, moves, due] = [false, 0, null];
  leaving = new Migration(
    {
      now: () => 0,
      after(ms, work) {
        due = { ms, work };
        return () => {
          due = null;
        };
      },
    },
    () => isIdle,
    () => {
      moves += 1;
    },
  );
});

describe('a connection with a GoAway deadline', () => {
  it('migrates at once while the call is idle', () => {
    isIdle = true;
    leaving.before(10_000);
    expect([moves, due]).toEqual([1, null]);
  });

  it('migrates when caller and vendor have finished', () => {
    leaving.before(10_000);
    leaving.ifIdle();
    expect(moves).toBe(0);
    isIdle = true;
    leaving.ifIdle();
    leaving.ifIdle();
    expect([moves, due]).toEqual([1, null]);
  });

  it('migrates a second before the deadline in any case', () => {
    leaving.before(10_000);
    expect(due?.ms).toBe(9_000);
    due?.work();
    expect(moves).toBe(1);
  });

  it('migrates at once when the deadline is a second away', () => {
    leaving.before(1_000);
    expect(moves).toBe(1);
  });

  it('does not migrate after the end of the call', () => {
    leaving.before(10_000);
    leaving.cancel();
    isIdle = true;
    leaving.ifIdle();
    expect([moves, due]).toEqual([0, null]);
  });
});

describe('reported token use', () => {
  const usage = (outputTokens: number) =>
    ({ vendor: 'v', model: 'm', inputTokens: 1, cachedTokens: null, outputTokens }) as const;
  const countedBy = () => {
    const counted: (number | null)[] = [];
    return {
      counted,
      meter: ({ outputTokens }: { outputTokens: number | null }) => counted.push(outputTokens),
    };
  };

  it('counts for the turn of its reply, even after a later request', () => {
    const use = new TokenUse();
    const [first, second] = [countedBy(), countedBy()];
    use.of('r1', first.meter);
    use.of('r2', second.meter);
    use.add('r1', usage(5));
    expect([first.counted, second.counted]).toEqual([[5], []]);
  });

  it('counts verbatim speech for the latest turn, and buffers until the first', () => {
    const use = new TokenUse();
    const [first, second] = [countedBy(), countedBy()];
    use.add('s1', usage(3));
    use.of('r1', first.meter);
    use.of('r2', second.meter);
    use.add('s2', usage(4));
    expect([first.counted, second.counted]).toEqual([[3], [4]]);
  });
});
