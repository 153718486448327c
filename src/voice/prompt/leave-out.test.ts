import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '@callwright/language';
import { speakable, spokenFirst } from './leave-out.ts';

const say = (text: string, values: Record<string, string> = {}, language: Language = 'en-US') =>
  speakable(text, values, language);

describe('a text with a variable that has no value', () => {
  it.each([
    ['Hello {{a}}, your appointment is {{b}}.', { a: 'Ana' }, 'Hello Ana.'],
    ['Your appointment on {{day}}. Is now a good time?', {}, 'Is now a good time?'],
    [
      'Hello {{a}}, your appointment on {{b}}. Is now a good time?',
      { a: 'a' },
      'Hello a. Is now a good time?',
    ],
    ['We have your appointment on {{day}} at {{time}}.', {}, 'We have your appointment.'],
    ['Can you come on {{day}} at ten?', {}, 'Can you come at ten?'],
    ['Can you come on {{day}} at {{time}}?', { day: 'Monday' }, 'Can you come on Monday?'],
    ['Your appointment is on {{day}} at {{time}}.', {}, ''],
    ['Your appointment is on {{day}} at {{time}}.', { day: 'Monday' }, 'Your appointment is on Monday.'],
    ['Hello {{name}}, this is Asha.', {}, 'Hello, this is Asha.'],
    ['Hi {{name}}! This is Asha from {{company}}.', {}, 'Hi! This is Asha.'],
    ['Good morning Mr. {{name}}.', {}, 'Good morning.'],
    ['{{name}}, your order is ready.', {}, 'Your order is ready.'],
    ['Goodbye, {{name}}.', {}, 'Goodbye.'],
    ['Thank you, {{name}}, for your time.', {}, 'Thank you, for your time.'],
    ['Hello, am I speaking with {{name}}?', {}, 'Hello.'],
    ['Am I speaking with {{name}}?', {}, ''],
    ['The price of {{product}} is ten. Bye.', {}, 'Bye.'],
    ["{{name}}'s order is ready. Bye.", {}, 'Bye.'],
    ['Dr. {{doctor}} sees you at {{time}}. Bye.', { time: '10 a.m.' }, 'Bye.'],
    ['See you at {{place|our clinic}} on {{day}}.', {}, 'See you at our clinic.'],
    ['Is {{day}} fine?', { day: '  ' }, ''],
  ])('%s with %j', (text, values, spoken) => expect(say(text, values)).toBe(spoken));

  it.each([
    [
      'hi-IN',
      'नमस्ते {{name}} जी, मैं आशा हूँ। आपकी अपॉइंटमेंट {{day}} को है। क्या आप आएँगे?',
      'नमस्ते, मैं आशा हूँ। क्या आप आएँगे?',
    ],
    ['ta-IN', 'வணக்கம் {{name}}, நான் ஆஷா. உங்கள் சந்திப்பு {{day}} அன்று.', 'வணக்கம், நான் ஆஷா.'],
    ['te-IN', 'నమస్కారం {{name}} గారు. మీ అపాయింట్మెంట్ {{day}} న ఉంది.', 'నమస్కారం.'],
    ['ar-AE', 'مرحبا {{name}}، معك سارة. موعدك يوم {{day}}. هل يناسبك؟', 'مرحبا، معك سارة. هل يناسبك؟'],
    ['zh-CN', '您好{{name}}先生，我是小美。您的预约是{{day}}。方便吗？', '您好，我是小美。方便吗？'],
    ['ms-MY', 'Helo {{name}}, saya Asha. Temu janji anda pada {{day}}.', 'Helo, saya Asha.'],
  ] as const)('reads well in %s', (language, text, spoken) => expect(say(text, {}, language)).toBe(spoken));

  it('keeps the number of a step whose words are gone, and drops other empty lines', () => {
    expect(say('1. Greet.\n2. Confirm {{day}}.\n- Mention {{x}}.\n3. Say "Come at {{time}}. Bye."')).toBe(
      '1. Greet.\n2.\n3. Say "Bye."',
    );
  });
});

describe('a first message', () => {
  it('becomes a greeting of its language when nothing of it is left', () => {
    for (const language of LANGUAGES) {
      const spoken = spokenFirst('{{a}} {{b}}?', {}, language);
      expect(spoken).toMatch(/\p{L}/u);
      expect(spoken).not.toMatch(/[{}]/u);
    }
    expect(spokenFirst('', {}, 'en-US')).toBe('');
  });
});

/** What a listener hears as a hole. */
const HOLES = / {2}| [.,;:!?।。，？！؟،]|[{}\uFFFC]|[,;]\s*[.!?]|^[,.;]/u;
const DANGLING = /\b(?:on|at|for|by|in|from|with|about|is|are|the|your|and|or)\s*[.,!?]/iu;

describe('any text', () => {
  const piece = fc.constantFrom(
    'Hello {{a}},',
    'your visit on {{b}}',
    'is at {{c}}.',
    'Am I speaking with {{a}}?',
    'Please come with {{a}} and {{b}}.',
    'Good time?',
    'This is Asha from {{d}}.',
    'Bring {{c}}, please.',
  );
  const pieces = fc.array(piece, { minLength: 1, maxLength: 6 }).map((all) => all.join(' '));
  const value = fc.constantFrom('Ana', 'Dr. Li', 'ten');

  it('has no hole and no dangling word where values are missing', () => {
    const values = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value);
    fc.assert(
      fc.property(pieces, values, (text, given) => {
        const spoken = say(text, given);
        expect(spoken).not.toMatch(HOLES);
        expect(spoken).not.toMatch(DANGLING);
      }),
    );
  });

  it('equals its rendering when every value is there', () => {
    const values = fc.record({ a: value, b: value, c: value, d: value });
    fc.assert(
      fc.property(pieces, values, (text, given) => {
        const rendered = text.replaceAll(/\{\{(\w)\}\}/gu, (_whole, name: 'a') => given[name]);
        expect(say(text, given)).toBe(rendered);
      }),
    );
  });
});
