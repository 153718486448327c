import { describe, expect, it } from 'vitest';
import { TokenPace } from './token-pace.ts';

const none = { inputTokens: null, outputTokens: null };

describe('estimated tokens of a cancelled reply', () => {
  it('are a quarter of its characters before any reply is measured', () => {
    const pace = new TokenPace();
    expect(pace.estimate({ input: 4_000, output: 81 })).toEqual({ inputTokens: 1_000, outputTokens: 20 });
    pace.learn({ input: 100, output: 100 }, none);
    expect(pace.estimate({ input: 40, output: 0 })).toEqual({ inputTokens: 10, outputTokens: 0 });
  });

  it('follow the rate of the last complete reply', () => {
    const pace = new TokenPace();
    pace.learn({ input: 3_000, output: 60 }, { inputTokens: 1_500, outputTokens: 20 });
    expect(pace.estimate({ input: 3_200, output: 30 })).toEqual({ inputTokens: 1_600, outputTokens: 10 });
  });
});
