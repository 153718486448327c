import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { turnSettings } from '../settings.ts';
import type { TurnSettings } from './types.ts';
import { simulate, type Act, type Simulation } from '../../../../test/rigs/turn/simulate.ts';

/** Callers who talk at any time, to an agent without failures: guarantees that every such call keeps. */
const wordless = { says: '', finalMs: null } as const;
const said = [
  'Book a table.',
  'tomorrow at nine',
  'no',
  'who is this',
  'I want to',
  'and then',
  'wait a moment please',
];

interface Bit {
  gapMs: number;
  forMs: number;
  finalMs: number;
  pick: number;
}
const bit: fc.Arbitrary<Bit> = fc.record({
  gapMs: fc.integer({ min: 250, max: 6_000 }),
  forMs: fc.integer({ min: 240, max: 2_500 }),
  finalMs: fc.integer({ min: 40, max: 500 }),
  pick: fc.nat({ max: 11 }),
});

function actsOf(bits: readonly Bit[]): Act[] {
  let at = 500;
  return bits.map(({ gapMs, forMs, finalMs, pick }) => {
    at += gapMs;
    const from = at;
    at += forMs;
    if (pick >= 10) return { at: from, forMs, ...wordless };
    // Every utterance is distinct, so that a lost one is detected.
    return { at: from, says: pick >= 8 ? 'okay' : `w${from} ${said[pick % said.length]}`, forMs, finalMs };
  });
}

const settings = (muted: boolean): TurnSettings =>
  turnSettings({
    callConfig: { mute_during_intro: muted, max_call_length: 60 },
    introMessage: 'Hello, this is Maya from the clinic, is this a good time?',
    language: 'en-US',
    direction: 'outbound',
  });
const call = (bits: readonly Bit[], brainMs: number, muted: boolean): Simulation =>
  simulate({
    settings: settings(muted),
    acts: actsOf(bits),
    brain: (_, n) => ({
      text: `Answer ${n}, which takes a little while to say. And some more.`,
      afterMs: brainMs,
    }),
  });

interface Stretch {
  readonly from: number;
  readonly to: number;
}
const overlap = (a: Stretch, b: Stretch): number =>
  Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));

const { maxLengthGoodbye, idleGoodbye } = settings(true).phrases;
const GOODBYES = new Set([maxLengthGoodbye, idleGoodbye]);

const bits = fc.array(bit, { maxLength: 12 });
const brainMs = fc.integer({ min: 0, max: 900 });

describe('any caller', () => {
  it('has every word in the transcript once', () => {
    fc.assert(
      fc.property(bits, brainMs, fc.boolean(), (list, ms, muted) => {
        const { lines, hangup } = call(list, ms, muted);
        const record = lines.flatMap((line) => (line.role === 'caller' ? [line.text] : [])).join(' ');
        for (const act of actsOf(list)) {
          if (!('says' in act) || act.says === '' || act.says === 'okay') continue;
          const heardWhole = act.at + (act.forMs ?? 0) + 600 < (hangup?.at ?? Infinity);
          const times = record.split(act.says).length - 1;
          expect(times).toBeLessThanOrEqual(1);
          expect(times).toBeGreaterThanOrEqual(heardWhole ? 1 : 0);
        }
      }),
      { numRuns: 250 },
    );
  });

  it('stops the agent by talking, and never waits more than 8 s in silence', () => {
    fc.assert(
      fc.property(bits, brainMs, (list, ms) => {
        const { sounds, lowered, hangup } = call(list, ms, true);
        const end = hangup?.at ?? 0;
        const talk = actsOf(list).flatMap((act) =>
          'says' in act && act.says !== '' && act.says !== 'okay'
            ? [{ from: act.at, to: act.at + (act.forMs ?? 0) }]
            : [],
        );
        const intro = sounds[0]?.to ?? 0;
        for (const sound of sounds) {
          // From when both are heard; the start of a reply counts from its first sound.
          const over = talk.find((t) => t.from < sound.to && t.to > sound.from);
          if (over === undefined || sound.from < intro || sound.to === end) continue;
          // A last goodbye is not interrupted: the agent listens to a caller who talks over it, then hangs up.
          if (GOODBYES.has(sound.text)) continue;
          const [from, to] = [Math.max(sound.from, over.from), Math.min(sound.to, over.to)];
          expect(to - from).toBeLessThanOrEqual(520);
          const lowMs = lowered.reduce((sum, low) => sum + overlap(low, { from, to }), 0);
          expect(to - from - lowMs).toBeLessThanOrEqual(260);
        }
        const heard = [
          ...sounds.map(({ from, to }) => ({ from, to })),
          ...actsOf(list).map((act) => ({
            from: act.at,
            to: act.at + ('forMs' in act ? (act.forMs ?? 0) : 0),
          })),
        ];
        heard.sort((a, b) => a.from - b.from);
        let last = 0;
        for (const { from, to } of heard) {
          if (from > end) break;
          expect(from - last).toBeLessThanOrEqual(8_000);
          last = Math.max(last, to);
        }
        expect(end - last).toBeLessThanOrEqual(8_000);
        expect(end).toBeGreaterThan(0);
      }),
      { numRuns: 250 },
    );
  });

  it('never stops the agent by saying okay, and leaves no hole in its sentences', () => {
    const okays = fc.array(
      fc.record({ gapMs: fc.integer({ min: 200, max: 2_000 }), forMs: fc.integer({ min: 80, max: 240 }) }),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(okays, (list) => {
        let at = 300;
        const acts = list.map(({ gapMs, forMs }): Act => {
          at += gapMs + forMs;
          return { at: at - forMs, says: 'okay', forMs, finalMs: 150 };
        });
        const text =
          'There is a lot to say about this, and it takes more than ten seconds until it is over. '.repeat(5);
        const { sounds, lowered, effects } = simulate({
          settings: turnSettings({
            callConfig: { mute_during_intro: false, max_call_length: 60, idle_timeout_warning: 0 },
            introMessage: text,
            language: 'en-US',
            direction: 'outbound',
          }),
          acts,
        });
        expect(effects.filter(({ effect }) => effect.type === 'stop_speaking')).toEqual([]);
        expect(sounds.filter(({ cut }) => cut)).toEqual([]);
        for (const { from, to } of lowered) expect(to - from).toBeLessThanOrEqual(300);
      }),
      { numRuns: 150 },
    );
  });

  it('gets a transcript of exactly what sounded', () => {
    fc.assert(
      fc.property(bits, brainMs, fc.boolean(), (list, ms, muted) => {
        const { lines, sounds } = call(list, ms, muted);
        const record = lines.flatMap((line) => (line.role === 'agent' ? [line.text] : [])).join(' ');
        const whole = sounds.filter((sound) => !sound.cut).map((sound) => sound.text);
        for (const text of whole) expect(record).toContain(text);
        const sounded = sounds.reduce((sum, { from, to }) => sum + (to - from) / 60 + 1, 0);
        expect(record.length).toBeLessThanOrEqual(sounded);
      }),
      { numRuns: 250 },
    );
  });
});
