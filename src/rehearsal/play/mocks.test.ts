import { describe, expect, it } from 'vitest';
import { Mocks } from './mocks.ts';

describe('tools in rehearsal', () => {
  const mocks = (): Mocks =>
    new Mocks(
      [
        { tool: 'book', needs: { taken: true }, ok: false, result: { error: 'taken' } },
        {
          tool: 'book',
          arguments: { day: 'Tuesday' },
          leaves: { taken: true },
          result: { booked: true },
          takes_ms: 40,
        },
      ],
      { taken: false },
    );

  it('answer by their arguments, and change the state', () => {
    const tools = mocks();
    expect(tools.answer('book', { day: 'tuesday' })).toEqual({ ok: true, result: { booked: true }, ms: 40 });
    expect(tools.answer('book', { day: 'tuesday' })).toEqual({
      ok: false,
      result: { error: 'taken' },
      ms: 300,
    });
  });

  it('say so when no answer fits', () => {
    for (const [tool, day] of [
      ['book', 'Friday'],
      ['cancel', 'Tuesday'],
    ] as const)
      expect(mocks().answer(tool, { day })).toMatchObject({
        ok: false,
        result: { error: expect.any(String) },
      });
  });
});
