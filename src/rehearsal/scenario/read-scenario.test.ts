import { readFileSync } from 'node:fs';
import { LANGUAGES } from '@callwright/language';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FLOW_TEMPLATES } from '../../shared/flow-templates/list.ts';
import { habitWords } from '../caller/habit-words.ts';
import { SHIPPED_SCENARIOS } from '../shipped/list.ts';
import { readScenario } from './read-scenario.ts';

const whole = {
  name: 'Books',
  persona: { goal: 'An appointment.', answers: [{ asked: ['name'], says: 'Maria' }] },
  expect: [{ type: 'says', any_of: ['goodbye'] }],
};
const problemsOf = (document: unknown): string[] => {
  const read = readScenario(document);
  return 'problems' in read ? read.problems.map(({ field, message }) => `${field} ${message}`) : [];
};

describe('a scenario', () => {
  it('is read as it was written', () => {
    expect(readScenario(whole)).toEqual({ scenario: whole });
  });

  it('is refused with the field and the rule', () => {
    expect(problemsOf('text')).toEqual(['scenario must be an object']);
    expect(problemsOf({ ...whole, name: '' })).toEqual(['name must not be empty']);
    expect(problemsOf({ ...whole, persona: { ...whole.persona, temper: 'sad' } })).toEqual([
      'persona.temper must be one of calm, hurried, angry',
    ]);
    expect(problemsOf({ ...whole, persona: { ...whole.persona, habits: { silent: 2 } } })).toEqual([
      'persona.habits.silent must be at most 1',
    ]);
    expect(problemsOf({ ...whole, expect: [{ type: 'replies_within' }] })).toEqual([
      'expect[0].seconds is required',
    ]);
    expect(problemsOf({ ...whole, expect: [{ type: 'sings' }] })[0]).toMatch(
      /^expect\[0\]\.type must be one of says, /,
    );
    expect(problemsOf({ ...whole, personality: {} })).toEqual(['personality is not a known field']);
    expect(
      problemsOf({ ...whole, persona: { goal: 'x', answers: [{ asked: ['name'], says: [] }] } }),
    ).toEqual(['persona.answers[0].says must be a text, or a list of texts of which the seed chooses one']);
  });
});

it('reads the scenarios of its page', () => {
  const page = readFileSync(new URL('../../../docs/rehearsal.md', import.meta.url), 'utf8');
  const documents = [...page.matchAll(/```yaml\n([\s\S]+?)```/g)].map(([, text = '']): unknown =>
    parse(text),
  );
  expect(documents).toHaveLength(3);
  expect(documents.flatMap(problemsOf)).toEqual([]);
});

describe('the shipped scenarios', () => {
  it('are forty, of other names, and can be read', () => {
    expect(SHIPPED_SCENARIOS.flatMap(problemsOf)).toEqual([]);
    const names = SHIPPED_SCENARIOS.map((document) => (document as { name: string }).name);
    expect(new Set(names).size).toBe(40);
  });

  it('are five for each template', () => {
    const agents = SHIPPED_SCENARIOS.map((document) => (document as { agent: string }).agent);
    for (const { id } of FLOW_TEMPLATES) expect(agents.filter((agent) => agent === id)).toHaveLength(5);
  });
});

describe('words of habits', () => {
  it.each(LANGUAGES)('exist in %s', (language) => {
    const { backchannels, ...words } = habitWords(language);
    expect(backchannels.length).toBeGreaterThan(0);
    for (const text of [...backchannels, ...Object.values(words)]) {
      expect(text.trim()).not.toBe('');
      expect(text).not.toMatch(/^=/);
    }
  });
});
