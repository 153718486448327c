import { describe, expect, it } from 'vitest';
import { ANSWERS, ASIDES } from '../../../test/helpers/agents/ways-of-answering.ts';
import { understand } from './answers.ts';
import { intentOf } from './intents.ts';
import { ENGLISH } from './phrases.ts';

/** Not understood yet. */
const MISSED = new Set(['after lunch', 'one hundred five']);

describe.each(ANSWERS)('an answer of the kind $answer', ({ answer, choices = [], lines }) => {
  it.each(lines.filter(([line]) => !MISSED.has(line)))('"%s" means %s', (line, meaning) => {
    const understood = understand({ text: line, by: 'speech' }, { answer, choices }, ENGLISH);
    expect(understood?.type === 'value' ? understood.value : understood?.type).toBe(meaning);
    expect(intentOf(line, ENGLISH)).toBeNull();
  });
});

describe('a line beside the question', () => {
  it.each(ASIDES)('"%s" means %s', (line, intent) => {
    expect(intentOf(line, ENGLISH)).toBe(intent);
  });
});
