import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinText, NO_TEXT, pushText, restOfText } from './sentences.ts';

function split(deltas: readonly string[]): string[] {
  let buffer = NO_TEXT;
  const out: string[] = [];
  for (const delta of deltas) {
    const pushed = pushText(buffer, delta);
    buffer = pushed.buffer;
    out.push(...pushed.sentences);
  }
  const rest = restOfText(buffer);
  return rest === null ? out : [...out, rest];
}

describe('sentences', () => {
  it.each([
    ['Hello there. How are you? Fine!', ['Hello there.', 'How are you?', 'Fine!']],
    ['Dr. Rao is at 5 p.m. today. Ok?', ['Dr. Rao is at 5 p.m. today.', 'Ok?']],
    ['It costs 3.50 rupees. Yes.', ['It costs 3.50 rupees.', 'Yes.']],
    ['See e.g. our site. J. K. Rowling wrote it.', ['See e.g. our site.', 'J. K. Rowling wrote it.']],
    ['It is me, and I. You know.', ['It is me, and I.', 'You know.']],
    ['1. First thing. 2. Second.', ['1. First thing.', '2. Second.']],
    ['He said "go." Then left.', ['He said "go."', 'Then left.']],
    ['Wait... what?! No.', ['Wait...', 'what?!', 'No.']],
    ['नमस्ते। आप कैसे हैं? ठीक।', ['नमस्ते।', 'आप कैसे हैं?', 'ठीक।']],
    ['你好。请问您是王先生吗？谢谢！', ['你好。', '请问您是王先生吗？', '谢谢！']],
    ['هل أنت هناك؟ نعم.', ['هل أنت هناك؟', 'نعم.']],
    ['မင်္ဂလာပါ။ ဟုတ်ကဲ့။', ['မင်္ဂလာပါ။', 'ဟုတ်ကဲ့။']],
    ['One line\nnext line', ['One line', 'next line']],
    ['**Bold** and `code`.', ['Bold and code.']],
    ['- item one\n- item two', ['item one', 'item two']],
    ['. ! ...', []],
    ['Press * or #.', ['Press * or #.']],
  ])('splits %j', (text, sentences) => {
    expect(split([text])).toEqual(sentences);
    expect(split(Array.from(text))).toEqual(sentences);
  });

  it('start with a clause if it is long enough; later pieces are whole sentences', () => {
    const text =
      'Thank you for calling our clinic today, how can I help you with that, please? Also, in short, yes.';
    expect(split([text])).toEqual([
      'Thank you for calling our clinic today,',
      'how can I help you with that, please?',
      'Also, in short, yes.',
    ]);
    expect(split(['Well, yes of course. Good.'])[0]).toBe('Well, yes of course.');
  });

  it('are emitted as soon as they are complete', () => {
    expect(pushText(NO_TEXT, 'Hello there. H').sentences).toEqual(['Hello there.']);
    expect(pushText(NO_TEXT, 'It is 3.').sentences).toEqual([]);
  });

  it('are cut at a bounded length without an end mark', () => {
    for (const piece of split(['word '.repeat(500)])) expect(piece.length).toBeLessThanOrEqual(240);
    for (const piece of split(['x'.repeat(2_000)])) expect(piece.length).toBeLessThanOrEqual(240);
  });

  it('do not depend on the chunking of the text and lose no spoken character', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom('. ', ', ', '? ', '।', '。', '3.5', 'Dr. ', '\n', '…', '"', 'word '),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 80 }), (parts) => {
        const whole = parts.join('');
        expect(split(Array.from(whole))).toEqual(split([whole]));
        expect(split(parts)).toEqual(split([whole]));
        const letters = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');
        expect(letters(split(parts).join(''))).toBe(letters(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('are joined with spaces, except between scripts without', () => {
    expect(joinText(['One.', '', 'Two.'])).toBe('One. Two.');
    expect(joinText(['你好。', '谢谢。'])).toBe('你好。谢谢。');
    expect(joinText(['नमस्ते।', 'ठीक।'])).toBe('नमस्ते। ठीक।');
  });
});
