import { array, assert, boolean, integer, property, record } from 'fast-check';
import { expect, it } from 'vitest';
import { ThreeWayMix } from './three-way-mix.ts';

const SAMPLES = 160;
const LIMIT = 32_767;
const frame = (value: number): Int16Array => new Int16Array(SAMPLES).fill(value);
const clipped = (value: number): number => Math.max(-LIMIT - 1, Math.min(LIMIT, value));

/** Frames buffered before a relay plays. */
const PREFILL = 2;

it('lets each side hear the sum of the other two, whatever they say, and never itself', () => {
  const level = integer({ min: 1_000, max: LIMIT });
  const said = record({ caller: level, agent: level, guest: level, isAgentSilent: boolean() });
  assert(
    property(array(said, { minLength: 3, maxLength: 40 }), (frames) => {
      const mix = new ThreeWayMix(8_000);
      const toCaller: number[] = [];
      const toGuest: number[] = [];
      for (const { caller, agent, guest, isAgentSilent } of frames) {
        mix.caller(frame(caller));
        mix.guest(frame(guest));
        const out = frame(isAgentSilent ? 0 : agent);
        toCaller.push(mix.toCaller(out, !isAgentSilent) ? (out[0] ?? 0) : 0);
        const heard = frame(0);
        toGuest.push(mix.toGuest(heard) ? (heard[0] ?? 0) : 0);
      }
      const agentOf = (at: number): number => {
        const each = frames[at];
        return each === undefined || each.isAgentSilent ? 0 : each.agent;
      };
      for (let at = PREFILL; at < frames.length; at += 1) {
        const guest = frames[at - PREFILL + 1]?.guest ?? 0;
        expect(toCaller[at]).toBe(clipped(guest + agentOf(at)));
      }
      // The guest hears the caller's frames in order, with or without the agent's.
      const callers = frames.map(({ caller }) => caller);
      for (let at = PREFILL; at < frames.length; at += 1)
        expect(toGuest[at]).toBeGreaterThanOrEqual(clipped(callers[at - PREFILL + 1] ?? 0));
    }),
  );
});

it('passes the agent on to a guest while the caller is silent, and the guest to the caller while the agent is', () => {
  const mix = new ThreeWayMix(8_000);
  const heard: number[] = [];
  const sent: number[] = [];
  for (let at = 1; at <= 10; at += 1) {
    mix.guest(frame(at * 100));
    const out = frame(0);
    sent.push(mix.toCaller(out, false) ? (out[0] ?? 0) : 0);
  }
  for (let at = 1; at <= 10; at += 1) {
    mix.toCaller(frame(at * 1_000), true);
    const out = frame(0);
    heard.push(mix.toGuest(out) ? (out[0] ?? 0) : 0);
  }
  expect(sent).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
  expect(heard.slice(3)).not.toContain(0);
});
