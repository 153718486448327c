import { describe, expect, it } from 'vitest';
import { polarity, understand } from './answers.ts';
import { intentOf } from './intents.ts';
import { phrasesOf } from './phrases.ts';
import { inNativeScript } from './romanised.ts';
import { dateIn, momentIn, timeIn } from './time/spoken-time.ts';

const hindi = phrasesOf('hi-IN');

describe('romanised and mixed Hindi', () => {
  it.each([
    ['haan', 'yes'],
    ['haan ji', 'yes'],
    ['ji bilkul', 'yes'],
    ['theek hai', 'yes'],
    ['thik hai ji', 'yes'],
    ['chalega', 'yes'],
    ['okay sir theek hai', 'yes'],
    ['yes haan', 'yes'],
    ['nahi', 'no'],
    ['nahin ji', 'no'],
    ['ji nahi', 'no'],
    ['abhi nahi chahiye', 'no'],
  ])('"%s" means %s', (line, meaning) => {
    expect(polarity(line, hindi)).toBe(meaning);
  });

  it.each([
    ['do baje', 'दो'],
    ['shaam paanch baje', 'शाम पाँच'],
    ['subah das baje theek hai', 'सुबह दस'],
    ['raat ko nau baje call karna', 'रात नौ'],
  ])('"%s" is the time %s', (line, time) => {
    expect(timeIn(line, hindi)).toBe(time);
  });

  it.each([
    ['kal', 'कल'],
    ['parson shaam ko', 'परसों'],
    ['somvar ko', 'सोमवार'],
    ['aaj shaam', 'आज'],
  ])('"%s" is the day %s', (line, day) => {
    expect(dateIn(line, hindi)).toBe(day);
  });

  it('reads a callback time', () => {
    expect(momentIn('kal do baje call karna', hindi)?.english).toBe('tomorrow at 2');
    expect(momentIn('do ghante baad', hindi)?.english).toBe('in 2 hours');
  });

  it.each([
    ['do', '2'],
    ['sirf teen log', '3'],
    ['pachas', '50'],
    ['हम चार लोग हैं', '4'],
  ])('"%s" is the number %s', (line, value) => {
    expect(understand({ text: line, by: 'speech' }, { answer: 'number', choices: [] }, hindi)).toEqual({
      type: 'value',
      value,
    });
  });

  it.each([
    'mujhe call mat karo',
    'phone mat karna',
    'aap call karna band karo',
    'mera number list se hata do',
    'mujhe pareshan mat karo',
    'stop calling me yaar',
  ])('"%s" is an opt-out', (line) => {
    expect(intentOf(line, hindi)).toBe('stop_calling');
  });

  it.each(['I do not know', 'no', 'call me', 'what do you want', 'not bad', 'no me', 'हाँ दो बजे'])(
    'leaves "%s" as it is',
    (line) => {
      expect(inNativeScript(line, hindi)).toBe(line);
    },
  );

  it('leaves other languages alone', () => {
    expect(inNativeScript('kal do baje', phrasesOf('en-IN'))).toBe('kal do baje');
  });
});
