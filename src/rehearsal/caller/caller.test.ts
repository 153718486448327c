import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HABITS } from '../scenario/document.ts';
import { stepCaller } from './caller.ts';
import { initialCaller, type CallerAct, type CallerEvent, type CallerState } from './state.ts';

const caller = (persona: Partial<CallerState['settings']['persona']> = {}, seed = 1): CallerState =>
  initialCaller({
    seed,
    language: 'en-US',
    persona: { goal: 'x', answers: [{ asked: ['your name'], says: 'Maria' }], ...persona },
  });

/** Feeds events; returns the last state and every act. */
function told(state: CallerState, events: readonly CallerEvent[]): { state: CallerState; acts: CallerAct[] } {
  const acts: CallerAct[] = [];
  let now = state;
  for (const event of events) {
    const next = stepCaller(now, event);
    now = next.state;
    acts.push(...next.acts);
  }
  return { state: now, acts };
}
const heard = (text: string, at = 0): CallerEvent[] => [
  { type: 'agent_started', text, ms: 1_000, at },
  { type: 'agent_ended', isCut: false, at: at + 1_000 },
];
const dueNext = ({ state }: { state: CallerState }, at: number): CallerEvent => ({
  type: 'due',
  timer: state.timer,
  at,
});

describe('a caller by rules', () => {
  it('answers what it was asked last', () => {
    const asked = told(
      caller({
        answers: [
          { asked: ['hello'], says: 'Hi' },
          { asked: ['your name'], says: 'Maria' },
        ],
      }),
      heard('Hello, your name?'),
    );
    const { acts } = told(asked.state, [dueNext(asked, 1_500)]);
    expect(acts).toEqual([{ type: 'say', kind: 'turn', pieces: [{ text: 'Maria', pauseMs: 0 }] }]);
  });

  it('hangs up when its patience is over', () => {
    const asked = told(caller({ patience_seconds: 3 }), heard('Your name?'));
    const answered = told(asked.state, [dueNext(asked, 1_500), { type: 'spoke', at: 2_000 }]);
    expect(answered.acts.at(-1)).toMatchObject({ type: 'wake', afterMs: 3_000 });
    const { state, acts } = told(answered.state, [dueNext(answered, 5_000)]);
    expect(acts).toEqual([{ type: 'hang_up' }]);
    expect(told(state, heard('Sorry, your name?', 6_000)).acts).toEqual([]);
  });

  it('waits after a statement, then says hello', () => {
    const asked = told(caller(), heard('One moment.'));
    const thought = told(asked.state, [dueNext(asked, 1_500)]);
    expect(thought.acts).toMatchObject([{ type: 'wake', afterMs: 3_500 }]);
    expect(told(thought.state, [dueNext(thought, 5_000)]).acts).toMatchObject([
      { type: 'say', pieces: [{ text: 'Hello?' }] },
    ]);
  });

  it('says its wish after the first words of the agent', () => {
    const asked = told(caller({ opens: 'I need an appointment.' }), heard('City Dental.'));
    expect(told(asked.state, [dueNext(asked, 1_500)]).acts).toMatchObject([
      { pieces: [{ text: 'I need an appointment.' }] },
    ]);
  });

  it('leaves after its last turn', () => {
    const asked = told(caller({ most_turns: 1 }), heard('Your name?'));
    const answered = told(asked.state, [
      dueNext(asked, 1_500),
      { type: 'spoke', at: 2_000 },
      ...heard('Your day?', 3_000),
    ]);
    const leaving = told(answered.state, [dueNext(answered, 4_500)]);
    expect(told(leaving.state, [dueNext(leaving, 4_500)]).acts).toEqual([{ type: 'hang_up' }]);
  });

  it('never speaks twice at once, nor after it has hung up', () => {
    const event = fc.oneof(
      fc
        .constantFrom('Your name?', 'One moment.', 'Hello.')
        .map((text): CallerEvent => ({ type: 'agent_started', text, ms: 2_500, at: 0 })),
      fc.boolean().map((isCut): CallerEvent => ({ type: 'agent_ended', isCut, at: 0 })),
      fc.constant<CallerEvent>({ type: 'spoke', at: 0 }),
      fc.nat(30).map((timer): CallerEvent => ({ type: 'due', timer, at: 0 })),
    );
    const habits = fc.record(Object.fromEntries(HABITS.map((habit) => [habit, fc.constantFrom(0, 0.5, 1)])));
    fc.assert(
      fc.property(fc.integer(), habits, fc.array(event, { maxLength: 60 }), (seed, habit, events) => {
        let state = caller({ habits: habit }, seed);
        let at = 0;
        let isSpeaking = false;
        let isOver = false;
        for (const each of events) {
          at += 400;
          // A caller hears of the end of words that it has begun.
          if (each.type === 'spoke') isSpeaking = false;
          const next = stepCaller(state, { ...each, at });
          state = next.state;
          for (const act of next.acts) {
            expect(isOver).toBe(false);
            if (act.type === 'hang_up') isOver = true;
            if (act.type !== 'say') continue;
            expect(isSpeaking).toBe(false);
            isSpeaking = true;
          }
        }
      }),
    );
  });
});
