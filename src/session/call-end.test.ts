import { describe, expect, it } from 'vitest';
import { CallEnd } from './call-end.ts';

/** The end of one call; `run` lets its timer fire. */
function opened() {
  const hangups: string[] = [];
  const timers: { ms: number; run: () => void }[] = [];
  const end = new CallEnd({
    scheduler: {
      now: () => 0,
      after(ms: number, run: () => void) {
        const timer = { ms, run };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      },
    },
    onHangup: (reason) => hangups.push(reason),
  });
  return { end, hangups, timers };
}

describe('the end of a call', () => {
  it('keeps its first cause and time', () => {
    const { end } = opened();
    expect([end.end('USER_LEFT', 5), end.end('FAILED', 9)]).toEqual([true, false]);
    expect([end.reason, end.at]).toEqual(['USER_LEFT', 5]);
  });

  it('hangs up after the last frame has played', () => {
    const { end, hangups, timers } = opened();
    end.hangUp('AGENT_ENDED');
    expect([hangups, timers.map(({ ms }) => ms)]).toEqual([[], [160]]);
    timers[0]?.run();
    expect(hangups).toEqual(['AGENT_ENDED']);
  });

  it('hangs up at once when nothing is left to play', () => {
    const { end, hangups, timers } = opened();
    end.hangUp('MEDIA_TIMEOUT');
    end.silence();
    end.hangUp('FAILED');
    expect([hangups, timers]).toEqual([['MEDIA_TIMEOUT', 'FAILED'], []]);
  });

  it('drops a pending hangup', () => {
    const { end, hangups, timers } = opened();
    end.hangUp('AGENT_ENDED');
    end.cancelHangup();
    expect([hangups, timers]).toEqual([[], []]);
  });
});
