import { describe, expect, it } from 'vitest';
import type { HistoryItem } from './ports.ts';
import { count, long, run, spoken } from '../../../../test/helpers/turns.ts';

/** A brain that notes what it is asked, and answers. */
function noting(text = 'Fine.') {
  const asked: (readonly HistoryItem[])[] = [];
  const brain = (history: readonly HistoryItem[]) => {
    asked.push(history);
    return { text };
  };
  return { asked, brain };
}
const take = (at: number) => ({ at, feeds: { type: 'taken_over' } }) as const;
const back = (at: number) => ({ at, feeds: { type: 'handed_back' } }) as const;
const person = (at: number, text: string) =>
  ({ at, feeds: { type: 'person_said', text, author: 'sam@x.example', since: 0 } }) as const;

describe('a note to the agent', () => {
  it('is in the request of the next reply, and neither heard nor transcribed', () => {
    const { asked, brain } = noting();
    const call = run({
      brain,
      acts: [
        { at: 2_000, feeds: { type: 'note', text: 'Offer ten.' } },
        { at: 2_500, says: 'what do you have' },
      ],
      untilMs: 5_000,
    });
    expect(asked.at(-1)).toContainEqual({ role: 'note', text: 'Offer ten.' });
    expect(spoken(call)).toEqual(['agent: Hello this is Maya.', 'caller: what do you have', 'agent: Fine.']);
  });

  it('drops a reply that was prepared without it', () => {
    const { asked, brain } = noting();
    // The words end at 3,000 ms; the reply is prepared 150 ms later and committed 700 ms later.
    const call = run({
      brain,
      acts: [
        { at: 2_000, says: 'I would like a table', forMs: 1_000 },
        { at: 3_300, feeds: { type: 'note', text: 'We are full.' } },
      ],
      untilMs: 6_000,
    });
    expect(count(call, 'generate')).toBe(2);
    expect(asked[0]).not.toContainEqual({ role: 'note', text: 'We are full.' });
    expect(asked[1]).toContainEqual({ role: 'note', text: 'We are full.' });
    expect(call.sounds.map(({ text }) => text)).toEqual(['Hello this is Maya.', 'Fine.']);
  });
});

describe('a sentence that a person gives the agent', () => {
  it('stops the agent, is spoken in its voice, and has its author in the transcript', () => {
    const { asked, brain } = noting(`${long}.`);
    const call = run({
      brain,
      acts: [
        { at: 2_000, says: 'what do you have' },
        { at: 4_500, feeds: { type: 'say', text: 'We close today.', author: 'sam@x.example' } },
        { at: 8_000, says: 'oh I see' },
      ],
      untilMs: 11_000,
    });
    const [, , cut, said] = call.lines;
    expect(cut).toMatchObject({ role: 'agent', interrupted: true });
    expect(said).toMatchObject({ role: 'agent', text: 'We close today.', author: 'sam@x.example' });
    expect(cut).not.toHaveProperty('author');
    expect(asked.at(-1)).toContainEqual({
      role: 'agent',
      text: 'We close today.',
      interrupted: false,
      by: 'person',
    });
  });

  it('does not cut the last goodbye of a call', () => {
    const call = run({
      acts: [
        { at: 2_000, ends: 'USER_TERMINATED', say: 'Goodbye and thank you.' },
        { at: 2_400, feeds: { type: 'say', text: 'Wait.', author: 'sam' } },
      ],
    });
    expect(call.sounds.at(-1)?.text).toBe('Goodbye and thank you.');
    expect(call.hangup?.reason).toBe('USER_TERMINATED');
  });
});

describe('a call that a person takes over', () => {
  it('hears no word of the agent until it is handed back, and the agent then knows what was said', () => {
    const { asked, brain } = noting(`${long}.`);
    const call = run({
      brain,
      acts: [
        { at: 2_000, says: 'what do you have' },
        take(4_500),
        { at: 5_500, says: 'are you a person' },
        person(8_000, 'Yes I am. Ten is free.'),
        back(9_000),
        { at: 10_000, says: 'ten is good' },
      ],
      untilMs: 18_000,
    });
    expect(call.sounds.find(({ to }) => to > 4_500)?.from).toBeGreaterThan(10_000);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toEqual(
      expect.arrayContaining([
        { role: 'caller', text: 'are you a person', by: 'speech' },
        { role: 'agent', text: 'Yes I am. Ten is free.', interrupted: false, by: 'person' },
        { role: 'caller', text: 'ten is good', by: 'speech' },
      ]),
    );
    expect(call.lines.filter(({ author }) => author !== undefined).map(({ text }) => text)).toEqual([
      'Yes I am. Ten is free.',
    ]);
  });

  it('has the words that nobody answered answered at once when it is handed back', () => {
    const { asked, brain } = noting();
    const call = run({
      brain,
      acts: [take(2_000), { at: 2_500, says: 'what do you have' }, back(6_000)],
      untilMs: 9_000,
    });
    expect(asked).toHaveLength(1);
    expect(call.sounds.at(-1)).toMatchObject({ text: 'Fine.' });
    expect(call.sounds.at(-1)?.from).toBeLessThan(7_000);
  });

  it('asks no silent caller whether they are there, and still ends at max_call_length', () => {
    const call = run({ acts: [take(2_000)] });
    expect(call.sounds.map(({ text }) => text)).toEqual(['Hello this is Maya.']);
    expect(call.hangup).toEqual({ reason: 'MAX_CALL_DURATION', at: 60_000 });
  });

  it('stops also a goodbye, and the call goes on', () => {
    const call = run({
      acts: [{ at: 2_000, ends: 'USER_TERMINATED', say: 'Goodbye and thank you.' }, take(2_300)],
      untilMs: 20_000,
    });
    expect(call.hangup).toBeNull();
  });

  it('ends at once when its end is requested', () => {
    const call = run({ acts: [take(2_000), { at: 3_000, ends: 'USER_TERMINATED', say: 'Goodbye.' }] });
    expect(call.hangup).toEqual({ reason: 'USER_TERMINATED', at: 3_000 });
    expect(call.sounds).toHaveLength(1);
  });
});
