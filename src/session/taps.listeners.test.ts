import { describe, expect, it } from 'vitest';
import { Listeners } from './taps.ts';

const frame = (value: number): Int16Array => new Int16Array(4).fill(value);
function heardBy(listeners: Listeners, id: string): number[][] {
  const heard: number[][] = [];
  listeners.add(id, { send: (stereo) => void heard.push([...stereo.subarray(0, 2)]) });
  return heard;
}

describe('listeners', () => {
  it('hear caller and agent together, on the clock of the agent', () => {
    const listeners = new Listeners();
    const heard = heardBy(listeners, 'a');
    listeners.caller(frame(1));
    listeners.caller(frame(2));
    listeners.agent(frame(9), 4);
    listeners.agent(null, 4);
    listeners.agent(frame(8), 4);
    expect(heard).toEqual([
      [1, 9],
      [2, 0],
      [0, 8],
    ]);
  });

  it('keep copies: the leg reuses its frame', () => {
    const listeners = new Listeners();
    const heard = heardBy(listeners, 'a');
    const reused = frame(3);
    listeners.caller(reused);
    reused.fill(0);
    listeners.agent(null, 4);
    expect(heard).toEqual([[3, 0]]);
  });

  it('fall behind by no more than five frames', () => {
    const listeners = new Listeners();
    const heard = heardBy(listeners, 'a');
    for (let n = 1; n <= 50; n += 1) listeners.caller(frame(n));
    listeners.agent(null, 4);
    expect(heard).toEqual([[46, 0]]);
  });

  it('hear silence while the recording is paused, and nothing of it afterwards', () => {
    const listeners = new Listeners();
    const heard = heardBy(listeners, 'a');
    listeners.caller(frame(1));
    listeners.mute(true);
    listeners.caller(frame(2));
    listeners.agent(frame(9), 4);
    listeners.mute(false);
    listeners.agent(frame(7), 4);
    expect(heard).toEqual([
      [0, 0],
      [0, 7],
    ]);
  });

  it('hear nothing after they left', () => {
    const listeners = new Listeners();
    const heard = heardBy(listeners, 'a');
    listeners.caller(frame(1));
    listeners.remove('a');
    listeners.agent(frame(9), 4);
    const second = heardBy(listeners, 'b');
    listeners.agent(frame(8), 4);
    expect([heard, second]).toEqual([[], [[0, 8]]]);
  });
});
