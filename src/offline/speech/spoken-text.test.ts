import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiText, MAX_SPOKEN_CHARACTERS, opening, speechClauses, spokenText } from './spoken-text.ts';

describe('spokenText', () => {
  it.each([
    ['  Hello\n\tthere ', 'Hello there'],
    ['[[h@l"oU]] hi', 'h@l"oU hi'],
    ['<speak>Hi <break time="2s"/>there</speak>', 'Hi there'],
    ['**Great** news 🎉!', 'Great news !'],
    ['press * now', 'press star now'],
    ['a\u0000b\u001b[31m', 'a b 31m'],
    ['\ud800broken', 'broken'],
    ['क्‍ष', 'क्‍ष'],
    ['3 < 5 and 7 > 2', '3 5 and 7 2'],
    ['...!?', ''],
    ['', ''],
  ])('%j is spoken as %j', (text, spoken) => {
    expect(spokenText(text)).toBe(spoken);
  });

  it('cuts long text at a word', () => {
    const cut = spokenText('word '.repeat(2000));
    expect(cut.length).toBeLessThanOrEqual(MAX_SPOKEN_CHARACTERS);
    expect(cut.endsWith('word')).toBe(true);
  });

  it('contains no markup or control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const spoken = spokenText(text);
        // oxlint-disable-next-line no-control-regex -- control characters are what must not be left
        expect(spoken).not.toMatch(/[\u0000-\u001f\u007f-\u009f<>[\]{}\ufffd]/);
        expect(spoken.isWellFormed()).toBe(true);
        expect(spokenText(spoken)).toBe(spoken);
      }),
      { numRuns: 2000, seed: 1 },
    );
  });
});

describe('asciiText', () => {
  it.each([
    ['It’s “fine” — really…', 'It\'s "fine", really...'],
    ['José costs ₹500', 'Jose costs rupees 500'],
    ['Hello नमस्ते', null],
    ['你好', null],
    ['plain', 'plain'],
  ])('%j becomes %j', (text, plain) => {
    expect(asciiText(text)).toBe(plain);
  });

  it('is ASCII or null', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        expect(asciiText(text) ?? '').toMatch(/^[ -~]*$/);
      }),
      { seed: 2 },
    );
  });
});

describe('opening', () => {
  it('ends at the first comma', () => {
    expect(opening('Hello Anna, this is Maya, your dentist.')).toEqual([
      'Hello Anna,',
      'this is Maya, your dentist.',
    ]);
  });

  it.each([
    'This is Maya from the clinic.',
    'It costs 1,200 dollars.',
    'Oh, hello there.',
    `This sentence is longer than the caller would like to wait for it, so it is not cut here.`,
    'Hello, ...',
  ])('is not there in "%s"', (sentence) => {
    expect(opening(sentence)).toBeNull();
  });
});

describe('speechClauses', () => {
  it('splits at sentences and keeps short pieces with the next', () => {
    expect(
      speechClauses('Good morning to you, this is Grace. I will see Dr. Smith at ten tomorrow. Thank you.'),
    ).toEqual(['Good morning to you, this is Grace.', 'I will see Dr. Smith at ten tomorrow. Thank you.']);
  });

  it('splits a long sentence at commas', () => {
    const long = `${'we have a rather long list of things to say, '.repeat(6)}and that is all`;
    const clauses = speechClauses(long);
    expect(clauses.length).toBeGreaterThan(1);
    for (const clause of clauses) expect(clause.length).toBeLessThan(200);
  });

  it('keeps every word', () => {
    const text = fc
      .array(fc.stringMatching(/^[A-Za-z]{1,12}[.,!?;]?$/), { minLength: 1, maxLength: 80 })
      .map((words) => words.join(' '));
    fc.assert(
      fc.property(text, (spoken) => {
        expect(speechClauses(spoken).join(' ')).toBe(spoken);
      }),
      { seed: 3 },
    );
  });
});
