import { describe, expect, it } from 'vitest';
import { ManualClock } from '../shared/clock.ts';
import { ChatProcessor } from './turn-processor.ts';

function processor() {
  const clock = new ManualClock();
  let usedMs = 0;
  const chats = new ChatProcessor(clock, () => usedMs);
  /** Charges a turn that computes for so long; false: it was too much. */
  const turn = (chatId: string, ms: number): boolean => {
    const running = chats.begin();
    running.run(() => (usedMs += ms));
    return chats.charge(chatId, running);
  };
  return { clock, chats, turn, use: (ms: number) => (usedMs += ms) };
}

describe('the processor time of a chat', () => {
  it('is the sum of its turns: a chat that uses too much is over its budget, others are not', () => {
    const { turn } = processor();
    for (let n = 0; n < 4; n += 1) expect(turn('flood', 500)).toBe(true);
    expect(turn('flood', 1)).toBe(false);
    expect(turn('other', 1)).toBe(true);
  });

  it('comes back with time', () => {
    const { turn, clock } = processor();
    expect(turn('chat', 2_000)).toBe(true);
    clock.advance(10_000);
    expect(turn('chat', 200)).toBe(true);
    expect(turn('chat', 1)).toBe(false);
  });

  it('leaves out what other work of the thread uses while the turn waits, and counts work that throws', () => {
    const { chats, use } = processor();
    const running = chats.begin();
    running.run(() => use(3));
    use(10_000);
    expect(() =>
      running.run(() => {
        use(4);
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(running.usedMs).toBe(7);
  });
});
