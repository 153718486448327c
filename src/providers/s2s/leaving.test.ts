import { beforeEach, describe, expect, it } from 'vitest';
import { Leaving } from './leaving.ts';
import { TokenUse } from './token-use.ts';

let isQuiet: boolean;
let moves: number;
let due: { readonly ms: number; readonly work: () => void } | null;
let leaving: Leaving;
beforeEach(() => {
  [isQuiet, moves, due] = [false, 0, null];
  leaving = new Leaving(
    {
      now: () => 0,
      after(ms, work) {
        due = { ms, work };
        return () => {
          due = null;
        };
      },
    },
    () => isQuiet,
    () => {
      moves += 1;
    },
  );
});

describe('a connection that the vendor ends soon', () => {
  it('is left at once in a quiet moment', () => {
    isQuiet = true;
    leaving.within(10_000);
    expect([moves, due]).toEqual([1, null]);
  });

  it('is left when the caller and the vendor have finished', () => {
    leaving.within(10_000);
    leaving.ifQuiet();
    expect(moves).toBe(0);
    isQuiet = true;
    leaving.ifQuiet();
    leaving.ifQuiet();
    expect([moves, due]).toEqual([1, null]);
  });

  it('is left a second before its end in any case', () => {
    leaving.within(10_000);
    expect(due?.ms).toBe(9_000);
    due?.work();
    expect(moves).toBe(1);
  });

  it('is left at once when a second is all that is left', () => {
    leaving.within(1_000);
    expect(moves).toBe(1);
  });

  it('is kept by a call that is over', () => {
    leaving.within(10_000);
    leaving.stay();
    isQuiet = true;
    leaving.ifQuiet();
    expect([moves, due]).toEqual([0, null]);
  });
});

describe('what a vendor reports of tokens', () => {
  const usage = (outputTokens: number) =>
    ({ vendor: 'v', model: 'm', inputTokens: 1, cachedTokens: null, outputTokens }) as const;
  const countedBy = () => {
    const counted: (number | null)[] = [];
    return {
      counted,
      meter: ({ outputTokens }: { outputTokens: number | null }) => counted.push(outputTokens),
    };
  };

  it('counts to the turn of its reply, also when another one was asked for since', () => {
    const use = new TokenUse();
    const [first, second] = [countedBy(), countedBy()];
    use.of('r1', first.meter);
    use.of('r2', second.meter);
    use.add('r1', usage(5));
    expect([first.counted, second.counted]).toEqual([[5], []]);
  });

  it('counts to the newest turn for lines that were read, and waits for the first one', () => {
    const use = new TokenUse();
    const [first, second] = [countedBy(), countedBy()];
    use.add('s1', usage(3));
    use.of('r1', first.meter);
    use.of('r2', second.meter);
    use.add('s2', usage(4));
    expect([first.counted, second.counted]).toEqual([[3], [4]]);
  });
});
