import { describe, expect, it } from 'vitest';
import { draftOf, NEW_QUESTION, problemOf, toRequest } from './client-analysis.ts';

const STORED = {
  context: 'Calls about visits.',
  goal_key: 'agreed',
  keys: {
    agreed: { type: 'boolean', description: 'Did the person agree?', default: false },
    day: { type: 'enum', values: ['Monday', 'Tuesday'], default: 'Monday' },
    people: { type: 'number', default: 2 },
    note: { type: 'string' },
  },
};

describe('the draft of a client analysis', () => {
  it('is sent back as it was stored', () => {
    const draft = draftOf(STORED, ['booked', 'open']);
    expect(toRequest(draft)).toEqual({ ...STORED, classification_labels: ['booked', 'open'] });
    expect(problemOf(draft)).toBeUndefined();
  });

  it('is empty for a version without one, and removes nothing but the analysis', () => {
    expect(toRequest(draftOf(null, []))).toEqual({ context: '', classification_labels: [], keys: {} });
  });

  it('leaves a goal out whose question is gone', () => {
    const draft = draftOf(STORED, []);
    const { goal_key: goal } = toRequest({ ...draft, questions: draft.questions.slice(1) });
    expect(goal).toBeUndefined();
  });

  it('names what is missing', () => {
    const draft = draftOf(null, []);
    const withQuestion = (change: object) =>
      problemOf({ ...draft, questions: [{ ...NEW_QUESTION, ...change }] });
    expect(withQuestion({})).toBe('Every question needs a name.');
    expect(withQuestion({ name: 'day', type: 'enum' })).toBe('day needs its values.');
    expect(withQuestion({ name: 'people', type: 'number', preset: 'two' })).toBe(
      'people needs a number as its default.',
    );
    const twice = { ...NEW_QUESTION, name: 'day' };
    expect(problemOf({ ...draft, questions: [twice, twice] })).toBe('Two questions have the name day.');
  });
});
