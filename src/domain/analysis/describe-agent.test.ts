import { assert, constant, dictionary, jsonValue, oneof, property, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDraft } from './describe-agent.ts';

const DRAFT = {
  name: 'Table bookings',
  opening: 'Hello {{callee_name}}, this is Trattoria Roma. Is now a good time?',
  objective: 'Confirm the table of tonight.',
  guidelines: 'Short, warm sentences.',
  task: '1. Ask "Do you still come tonight?"\n2. Say goodbye.',
};
const problemsOf = (change: object) => {
  const reading = readDraft(JSON.stringify({ ...DRAFT, ...change }));
  return reading.ok ? [] : reading.problems;
};

describe('the draft that a model writes', () => {
  it('is read with and without a code fence, without space around its texts', () => {
    expect(
      readDraft(`\`\`\`json\n${JSON.stringify({ ...DRAFT, name: ' Table bookings ' })}\n\`\`\``),
    ).toEqual({
      ok: true,
      draft: DRAFT,
    });
  });

  it('is refused with the fields that do not fit', () => {
    expect(readDraft('Gladly!')).toEqual({ ok: false, problems: ['the answer is not one JSON object'] });
    expect(problemsOf({ name: 7 })).toEqual(['name must be a text']);
    expect(problemsOf({ task: ' ' })).toEqual(['task must be a text']);
    expect(problemsOf({ opening: 'x'.repeat(501) })).toEqual(['opening must have at most 500 characters']);
    expect(problemsOf({ task: 'Say {{ price }}.' })).toEqual([
      'task may use no other variable than {{callee_name}}',
    ]);
  });

  it('has only texts that the creation of an agent takes, whatever the model answers', () => {
    const answer = oneof(
      string(),
      dictionary(string(), jsonValue()).map((value) => JSON.stringify(value)),
      record({ ...DRAFT_PARTS }).map((value) => JSON.stringify(value)),
    );
    assert(
      property(answer, (text) => {
        const reading = readDraft(text);
        const texts = reading.ok ? Object.values(reading.draft) : reading.problems;
        expect(texts.length).toBeGreaterThan(0);
        for (const each of texts) expect(each.trim()).not.toBe('');
      }),
    );
  });
});

const PART = oneof(string(), constant('Call {{callee_name}}.'), jsonValue());
const DRAFT_PARTS = { name: PART, opening: PART, objective: PART, guidelines: PART, task: PART };
