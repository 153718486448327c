import { describe, expect, it } from 'vitest';
import {
  endChoices,
  ENDS,
  expectationName,
  NEW_SCENARIO,
  ofType,
  toFile,
  toScenario,
  withEnd,
  type ScenarioDraft,
} from './scenario-draft.ts';

const DRAFT: ScenarioDraft = {
  name: ' Books on Friday ',
  goal: 'An appointment on Friday.',
  language: 'hi-IN',
  temper: 'hurried',
  lines: 'rules',
  habits: { interrupts: '30', spells: '0', holds: '' },
  line: { speed: '120', noise: 'car', voice: 'woman', codec: 'PCMA', loss: '2.5', echo: '-30' },
  facts: [
    { asked: 'which day\nwhat day\n', says: 'On Friday.' },
    { asked: '', says: '' },
  ],
  expectations: [
    { type: 'says', text: 'we will confirm it\n\nit is booked' },
    { type: 'never_says', text: 'Monday' },
    { type: 'calls_tool', text: ' book ' },
    { type: 'never_calls_tool', text: 'cancel' },
    { type: 'ends', text: 'AGENT_ENDED' },
    { type: 'replies_within', text: '2.5' },
    { type: 'stops_within', text: '1' },
    { type: 'no_alarm', text: '' },
  ],
};

describe('the fields of a scenario', () => {
  it('make the scenario of a file', () => {
    expect(toScenario(DRAFT)).toEqual({
      name: 'Books on Friday',
      language: 'hi-IN',
      persona: {
        goal: 'An appointment on Friday.',
        temper: 'hurried',
        speed: 1.2,
        noise: 'car',
        voice: 'woman',
        line: { codec: 'PCMA', loss: 0.025, echo_db: -30 },
        answers: [{ asked: ['which day', 'what day'], says: 'On Friday.' }],
        habits: { interrupts: 0.3 },
      },
      expect: [
        { type: 'says', any_of: ['we will confirm it', 'it is booked'] },
        { type: 'never_says', any_of: ['Monday'] },
        { type: 'calls_tool', tool: 'book' },
        { type: 'never_calls_tool', tool: 'cancel' },
        { type: 'ends', as: ['AGENT_ENDED'] },
        { type: 'replies_within', seconds: 2.5 },
        { type: 'stops_within', seconds: 1 },
        { type: 'no_alarm' },
      ],
    });
  });

  it('leave out what is empty', () => {
    const persona = { goal: '', temper: 'calm' };
    expect(toScenario(NEW_SCENARIO)).toEqual({ name: '', persona, expect: [{ type: 'says', any_of: [] }] });
  });

  it('make a list of them in JSON', () => {
    expect(JSON.parse(toFile([DRAFT, DRAFT]))).toEqual([toScenario(DRAFT), toScenario(DRAFT)]);
  });
});

it('names a type of expectations that the page does not know as the service writes it', () => {
  expect(expectationName('no_alarm')).toBe('The detectors find nothing');
  expect(expectationName('some_new_type')).toBe('some new type');
});

describe('the endings of a scenario', () => {
  it('are chosen from a list, and stored as their codes in its order', () => {
    const chosen = withEnd(withEnd('', 'USER_LEFT', true), 'AGENT_ENDED', true);
    expect(chosen).toBe('AGENT_ENDED\nUSER_LEFT');
    expect(endChoices(chosen)).toEqual(
      Object.keys(ENDS).map((code) => [code, code === 'AGENT_ENDED' || code === 'USER_LEFT']),
    );
    expect(withEnd(chosen, 'AGENT_ENDED', false)).toBe('USER_LEFT');
  });

  it('keep a code that the page does not know, until it is taken away', () => {
    const text = 'SOME_NEW_CODE\nAGENT_ENDED';
    expect(endChoices(text).at(-1)).toEqual(['SOME_NEW_CODE', true]);
    expect(withEnd(text, 'OPEN', true)).toBe('AGENT_ENDED\nOPEN\nSOME_NEW_CODE');
    expect(withEnd(text, 'SOME_NEW_CODE', false)).toBe('AGENT_ENDED');
  });

  it('begin with the assistant that hangs up, and leave no code behind for another type', () => {
    const says = { type: 'says', text: 'Goodbye.' } as const;
    expect(ofType(says, 'never_says')).toEqual({ type: 'never_says', text: 'Goodbye.' });
    const ends = ofType(says, 'ends');
    expect(ends).toEqual({ type: 'ends', text: 'AGENT_ENDED' });
    expect(ofType({ ...ends, text: 'OPEN' }, 'ends').text).toBe('OPEN');
    expect(ofType(ends, 'says').text).toBe('');
  });
});
