import { describe, expect, it } from 'vitest';
import { codedSpeech } from '@callwright/stand-ins';
import { planCall, type Cue, type Plan } from './plan.ts';
import { scoreCall, type PhoneCall, type Score } from './score.ts';
import type { Script, Step } from './script.ts';

const LINE =
  'We are open from nine to five on every weekday and from ten to two on Saturday but never on Sunday.';
const planOf = (...steps: Step[]): Plan => {
  const script: Script = { id: 'one', language: 'en-US', steps };
  return planCall(script, 1);
};

interface Said {
  readonly atMs: number;
  readonly text: string;
  /** The rest is silence from this time on. */
  readonly cutMs?: number;
  /** Sound is missing, or lowered, between these times. */
  readonly holes?: readonly (readonly [number, number])[];
  readonly lowered?: readonly (readonly [number, number])[];
}

/** A phone that sent the plan 40 ms late, and whose second recording began 25 ms after the first. */
function phoneOf(plan: Plan, agent: readonly Said[]): PhoneCall {
  const [shiftMs, receivedLaterMs] = [40, 25];
  const size = (plan.lengthMs + 8_000) * 8;
  const [sent, received] = [new Int16Array(size), new Int16Array(size)];
  for (const { atMs, pcm } of plan.track) sent.set(pcm, Math.round((atMs + shiftMs) * 8));
  const place = (ms: number): number => Math.round((ms + shiftMs - receivedLaterMs) * 8);
  for (const { atMs, text, cutMs = Infinity, holes = [], lowered = [] } of agent) {
    const pcm = codedSpeech(text, 8000);
    for (let i = 0; i < pcm.length; i++) {
      const ms = atMs + i / 8;
      const isIn = (list: readonly (readonly [number, number])[]): boolean =>
        list.some(([from, to]) => ms >= from && ms < to);
      if (ms >= cutMs || isIn(holes)) continue;
      received[place(atMs) + i] = Math.round((pcm[i] as number) * (isIn(lowered) ? 0.1 : 1));
    }
  }
  return { sent, received, receivedLaterMs };
}

const score = (plan: Plan, agent: readonly Said[]): Score => scoreCall(plan, phoneOf(plan, agent));
const near = (value: number | null | undefined): number => Math.round((value ?? Number.NaN) / 10) * 10;
const after = (cue: Cue | undefined, ms: number): number => (cue?.toMs ?? 0) + ms;

describe('the score of a call', () => {
  it('has the time from the end of a sentence to the agent’s first sound', () => {
    const plan = planOf({ says: 'When do you open?', reply: 'At nine.' });
    const [turn] = plan.cues;
    const found = score(plan, [{ atMs: after(turn, 600), text: 'At nine.' }]);
    expect(found.responses.map(near)).toEqual([600]);
    expect(found.faults).toEqual([]);
    expect(score(plan, []).responses).toEqual([null]);
  });

  it('names a reply that is another one than planned', () => {
    const plan = planOf({ says: 'When do you open?', reply: 'At nine.' });
    const found = score(plan, [{ atMs: after(plan.cues[0], 600), text: 'At ten.' }]);
    expect(found.faults).toEqual(['after "When do you open?": "At ten." instead of "At nine."']);
  });

  it('has the time from an interruption to the agent’s last sound, and none for an agent that talks on', () => {
    const plan = planOf(
      { says: 'Your hours?', reply: LINE },
      { interrupts: 'Stop please.', overMs: 1_000, reply: 'I stopped.' },
    );
    const [turn, interruption] = plan.cues;
    const line = { atMs: after(turn, 650), text: LINE };
    const at = interruption?.fromMs ?? 0;
    const [stop] = score(plan, [{ ...line, cutMs: at + 180 }]).stops;
    // The cut may fall between two words.
    expect(stop).toBeGreaterThanOrEqual(115);
    expect(stop).toBeLessThanOrEqual(185);
    expect(score(plan, [line]).stops).toEqual([null]);
    expect(score(plan, []).voided).toBe(1);
    expect(score(plan, []).stops).toEqual([]);
  });

  it('has the silence over a murmur, and none where the voice was only lowered', () => {
    const plan = planOf({ says: 'Your hours?', reply: LINE }, { murmurs: 'mm-hm', overMs: 1_000 });
    const [turn, murmur] = plan.cues;
    const line = { atMs: after(turn, 650), text: LINE };
    const at = murmur?.fromMs ?? 0;
    const [lowered] = score(plan, [{ ...line, lowered: [[at + 60, at + 300]] }]).holes;
    expect(lowered?.ms).toBeLessThanOrEqual(5);
    const [stopped] = score(plan, [{ ...line, holes: [[at + 300, at + 700]] }]).holes;
    expect(stopped?.ms).toBeGreaterThanOrEqual(335);
    expect(stopped?.ms).toBeLessThanOrEqual(405);
    const [never] = score(plan, [{ ...line, cutMs: at + 300 }]).holes;
    expect(never?.ms).toBeGreaterThan(1_000);
  });

  it('reads the words of a lowered voice', () => {
    const plan = planOf({ says: 'Your hours?', reply: LINE }, { murmurs: 'mm-hm', overMs: 1_000 });
    const atMs = after(plan.cues[0], 650);
    expect(score(plan, [{ atMs, text: LINE, lowered: [[atMs, atMs + 9_000]] }]).faults).toEqual([]);
  });

  it('counts a reply in a pause inside a sentence as a cut-in, and the reply after it as none', () => {
    const plan = planOf({ says: 'I call because [600] my tooth hurts.', reply: 'Since when?' });
    const [turn] = plan.cues;
    const [pause] = turn?.pauses ?? [];
    expect(score(plan, [{ atMs: after(turn, 600), text: 'Since when?' }])).toMatchObject({
      pauses: 1,
      cutIns: 0,
    });
    expect(score(plan, [{ atMs: (pause?.fromMs ?? 0) + 500, text: 'Why?' }])).toMatchObject({ cutIns: 1 });
  });

  it('takes a dictation as whole when one reply has all of its digits', () => {
    const plan = planOf({ says: '4929 [500] 1234 [500] 5678', digits: '492912345678', waitMs: 800 });
    const atMs = after(plan.cues[0], 900);
    const whole = score(plan, [{ atMs, text: 'You said: 4929 1234 5678' }]);
    expect(whole).toMatchObject({ dictations: 1, wholeDictations: 1 });
    expect(score(plan, [{ atMs, text: 'You said: 4929 1234' }]).wholeDictations).toBe(0);
  });

  it('counts words of the agent’s history that the phone did not hear', () => {
    const plan = planOf(
      { says: 'Your hours?', reply: LINE },
      { interrupts: 'Stop please.', overMs: 1_000, reply: 'I said: {agent}' },
    );
    const [turn, interruption] = plan.cues;
    const line = { atMs: after(turn, 650), text: LINE, cutMs: after(turn, 650) + 1_180 };
    const told = (words: string): number =>
      score(plan, [line, { atMs: after(interruption, 600), text: `I said: ${words}` }]).ghostWords;
    expect([told('We are open'), told('We are open from nine to five on')]).toEqual([0, expect.any(Number)]);
    expect(told('We are open from nine to five on')).toBeGreaterThanOrEqual(2);
  });

  it('has the longest silence of both sides', () => {
    const plan = planOf({ says: 'When?', reply: 'At nine.' }, { says: 'Yes.', reply: 'Good.' });
    const [first, last] = plan.cues;
    const { deadAirMs } = score(plan, [
      { atMs: 850, text: 'Hello.' },
      { atMs: after(first, 1_500), text: 'At nine.' },
      { atMs: after(last, 600), text: 'Good.' },
    ]);
    expect(near(deadAirMs)).toBe(1_500);
  });

  it('does not count a silence of the script', () => {
    const plan = planOf(
      { says: 'When?', reply: 'At nine.' },
      { silentMs: 4_000 },
      { says: 'Yes.', reply: 'Good.' },
    );
    const [first, , last] = plan.cues;
    const { deadAirMs } = score(plan, [
      { atMs: 850, text: 'Hello.' },
      { atMs: after(first, 650), text: 'At nine.' },
      { atMs: after(last, 600), text: 'Good.' },
    ]);
    expect(deadAirMs).toBeLessThan(1_200);
  });
});
