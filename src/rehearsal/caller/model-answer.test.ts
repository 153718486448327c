import { assert, anything, boolean, property, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_CHARACTERS, readLine } from './model-answer.ts';

const HEARD = 'Does your appointment on Tuesday still suit you?';
const said = (say: unknown, hangs_up: unknown = false) => readLine(JSON.stringify({ say, hangs_up }), HEARD);

describe('the answer of a model that words a caller', () => {
  it.each([
    ['Yes, it does.', 'Yes, it does.'],
    ['"Yes, it does."', 'Yes, it does.'],
    ['Caller: Yes, it does.', 'Yes, it does.'],
    ['*sighs* Yes, (coughs) it does. [pause]', 'Yes, it does.'],
    ['Yes, it does.\nAgent: Great!\nCaller: Bye.', 'Yes, it does.'],
    ['हाँ, ठीक है।', 'हाँ, ठीक है।'],
  ])('%j is one utterance', (say, text) => {
    expect(said(say)).toEqual({ text, hangsUp: false, refused: null });
  });

  it.each([
    ['', 'empty'],
    ['...', 'empty'],
    ['[silence]', 'empty'],
    ['As an AI language model, I cannot do that.', 'out_of_character'],
    ['Hello! How can I help you today?', 'out_of_character'],
    ['Ich bin ein KI-Sprachmodell.', 'out_of_character'],
    [HEARD, 'out_of_character'],
    [7, 'unreadable'],
  ])('%j is refused as %s', (say, refused) => {
    expect(said(say)).toEqual({ text: null, hangsUp: false, refused });
  });

  it('is refused when it is no JSON, and read out of a code fence', () => {
    expect(readLine('You said: hello', HEARD).refused).toBe('unreadable');
    expect(readLine('```json\n{"say":"Yes.","hangs_up":true}\n```', HEARD)).toEqual({
      text: 'Yes.',
      hangsUp: true,
      refused: null,
    });
  });

  it('is cut after its last whole sentence', () => {
    const line = said('I would like to come. '.repeat(30)).text!;
    expect(line.length).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(line.endsWith('to come.')).toBe(true);
  });

  it('gives one line of bounded length, whatever a model answers', () => {
    const hostile = record({ say: string({ unit: 'binary', maxLength: 3_000 }), hangs_up: boolean() });
    assert(
      property(hostile, (answer) => {
        const { text } = readLine(JSON.stringify(answer), HEARD);
        if (text === null) return;
        expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
        expect(text).toMatch(/[\p{L}\p{N}]/u);
        expect(text).not.toContain('\n');
      }),
    );
    assert(property(anything(), (answer) => void readLine(JSON.stringify(answer) ?? '', HEARD)));
  });
});
