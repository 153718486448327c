import { describe, expect, it } from 'vitest';
import { ENGLISH as english, phrasesOf } from './phrases.ts';
import { understand, type CallerLine } from './answers.ts';
import { dateIn, timeIn } from './time/spoken-time.ts';
import { asksSomething, intentOf } from './intents.ts';
import { digitsIn, numberIn } from './numbers.ts';
import type { AnswerKind } from './question-kind.ts';

describe('numbers', () => {
  it.each([
    ['twenty five', 25],
    ['about two hundred and fifty dollars', 250],
    ['four thousand five hundred', 4500],
    ['2,500', 2500],
    ['a couple', 2],
    ['three of us', 3],
    ['no idea', null],
  ])('%s is %s', (text, value) => expect(numberIn(text)).toBe(value));

  it.each([
    ['nine eight double seven oh', '98770'],
    ['triple five one', '5551'],
    ['98765 43210', '9876543210'],
    ['four to seven one', '4271'],
    ['two four for you', '24'],
    ['nothing', null],
  ])('digits of %s are %s', (text, digits) => expect(digitsIn(text)).toBe(digits));
});

describe('days and times', () => {
  it.each([
    ['on Tuesday please', 'Tuesday'],
    ['next friday', 'next Friday'],
    ['tomorrow', 'tomorrow'],
    ['the fifth of may', 'May 5'],
    ['may 21st', 'May 21'],
    ['on the 3rd', 'the 3rd'],
    ['12/5', '12 May'],
    ['I may come', null],
    ['one second', null],
  ])('the day of "%s" is %s', (text, day) => {
    expect(dateIn(text, english)?.replace('the 2nd', '') || null).toBe(day);
  });

  it.each([
    ['at three pm', '3 pm'],
    ['half past two', 'half past two'],
    ['ten thirty', '10:30'],
    ['10:15 am', '10:15 am'],
    ['five in the evening', '5 in the evening'],
    ['in the morning', 'morning'],
    ["seven o'clock", "7 o'clock"],
    ['no', null],
  ])('the time of "%s" is %s', (text, time) => expect(timeIn(text, english)).toBe(time));

  it('reads days in other languages, also in native digits', () => {
    expect(dateIn('मंगलवार को', phrasesOf('hi-IN'))).toBe('मंगलवार');
    expect(dateIn('செவ்வாய்', phrasesOf('ta-IN'))).toBe('செவ்வாய்');
    expect(dateIn('நாளை', phrasesOf('ta-IN'))).toBe('நாளை');
    expect(dateIn('५ मई', phrasesOf('hi-IN'))).toBe('5 मई');
    expect(timeIn('शाम ५ बजे', phrasesOf('hi-IN'))).toBe('शाम 5');
  });
});

const say = (text: string, by: CallerLine['by'] = 'speech'): CallerLine => ({ text, by });
const answer = (line: CallerLine, kind: AnswerKind, choices: readonly string[] = []) =>
  understand(line, { answer: kind, choices }, english);

describe('answers', () => {
  it.each(['yes', 'yeah sure', 'no problem', 'of course', 'that works for me', 'why not'])(
    '%s is a yes',
    (text) => {
      expect(answer(say(text), 'yes_no')).toEqual({ type: 'yes' });
    },
  );
  it.each(['no', 'nope', 'not really', "I can't", 'no thank you', "I don't think so"])(
    '%s is a no',
    (text) => {
      expect(answer(say(text), 'yes_no')).toEqual({ type: 'no' });
    },
  );
  it.each(["I'm not sure", "I don't know", 'maybe'])('%s is neither yes nor no', (text) => {
    expect(answer(say(text), 'yes_no')).toEqual({ type: 'unknown' });
  });
  it('matches a choice by its words or its position', () => {
    const choices = ['morning', 'late evening'];
    expect(answer(say('the evening one'), 'choice', choices)).toEqual({
      type: 'value',
      value: 'late evening',
    });
    expect(answer(say('the first'), 'choice', choices)).toEqual({ type: 'value', value: 'morning' });
    expect(answer(say('2', 'keypad'), 'choice', choices)).toEqual({ type: 'value', value: 'late evening' });
    expect(answer(say('3', 'keypad'), 'choice', choices)).toBeNull();
  });
  it('extracts a name from its sentence', () => {
    expect(answer(say('Hi, my name is john smith.'), 'name')).toEqual({ type: 'value', value: 'John Smith' });
    expect(answer(say('no'), 'name')).toEqual({ type: 'no' });
  });
  it('reads keypad digits by the kind of answer expected', () => {
    expect(answer(say('1', 'keypad'), 'yes_no')).toEqual({ type: 'yes' });
    expect(answer(say('2#', 'keypad'), 'yes_no')).toEqual({ type: 'no' });
    expect(answer(say('7', 'keypad'), 'date')).toEqual({ type: 'value', value: 'Sunday' });
    expect(answer(say('15', 'keypad'), 'time')).toEqual({ type: 'value', value: '3 pm' });
    expect(answer(say('1430', 'keypad'), 'time')).toEqual({ type: 'value', value: '2:30 pm' });
    expect(answer(say('0042', 'keypad'), 'digits')).toEqual({ type: 'value', value: '0042' });
    expect(answer(say('99', 'keypad'), 'time')).toBeNull();
  });
});

describe('intents', () => {
  it.each([
    ['please stop calling me', 'stop_calling'],
    ['take me off your list', 'stop_calling'],
    ['do not call me today', null],
    ['am I talking to a real person', 'robot'],
    ['can I speak to a real person', 'human'],
    ['who is calling please', 'who'],
    ['what is this about', 'why'],
    ["I'm not interested", 'not_interested'],
    ["I'm driving right now", 'later'],
    ['can you say that again', 'repeat'],
    ['hold on a second', 'hold'],
    ['okay bye', 'goodbye'],
    ['thank you very much', 'thanks'],
    ['no thank you', null],
    ['wrong number', 'wrong_person'],
    ['hello hello', 'hello'],
    ['my weight is fine', null],
    ['I will wait for you there', null],
  ])('%s: %s', (text, intent) => expect(intentOf(text, english)).toBe(intent));

  it('distinguishes questions from answers', () => {
    expect(
      ['how much is it', 'do you have parking', 'is it free?', 'क्लिनिक कहाँ है'].map((line) =>
        asksSomething(line, phrasesOf('hi-IN')),
      ),
    ).toEqual([true, true, true, true]);
    expect(['yes', 'Tuesday', 'my name is Anna'].map((line) => asksSomething(line, english))).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('a value beside a no without a comma', () => {
  it.each([
    ['no friday would be better', 'Friday'],
    ['no sorry make it thursday', 'Thursday'],
    ['no monday does not work', 'no'],
    ['no', 'no'],
  ])('"%s" means %s', (text, meaning) => {
    const understood = understand({ text, by: 'speech' }, { answer: 'date', choices: [] }, english);
    expect(understood?.type === 'value' ? understood.value : understood?.type).toBe(meaning);
  });
});
