import { describe, expect, it } from 'vitest';
import { TRADES } from '../../../test/helpers/agents/trades.ts';
import { callOf, type Settings } from './test-call.ts';

const [clinic] = TRADES;
const agent: Settings = clinic?.agent ?? {};

/** The replies of one call to these lines. */
function repliesTo(lines: readonly string[], settings: Settings = agent): string[] {
  const call = callOf(settings);
  return lines.map((line) => call.say(line).trim());
}

describe('a caller whom the day does not suit', () => {
  it('is asked for another one, which is read back', () => {
    expect(
      repliesTo(['yes', "No, sorry, Tuesday doesn't work for me", 'could we do Thursday instead', 'yes']),
    ).toEqual([
      'Got it. Can you come on Tuesday at three?',
      'Alright. Which day suits you?',
      'That is Thursday, correct?',
      'Sure. Do you have any questions?',
    ]);
  });

  it('may offer another day at once', () => {
    expect(repliesTo(['yes', 'no, but Friday would be fine'])[1]).toBe('You said Friday, right?');
  });

  it('need not name one', () => {
    expect(repliesTo(['yes', 'no', "I don't know"])[2]).toContain('Do you have any questions?');
  });

  it('is understood in the answer to the first message', () => {
    const settings = {
      ...agent,
      introMessage: 'Hello, this is Maya. Your appointment is on Tuesday at three. Can you make it?',
    };
    expect(repliesTo(["No, sorry, Tuesday doesn't work for me", 'Thursday'], settings)).toEqual([
      'Got it. Which day suits you?',
      'You said Thursday, right?',
    ]);
  });

  it('is not hung up on when the first message offers the day', () => {
    const settings = { ...agent, introMessage: 'Hello, this is Maya. Would you like to come on Tuesday?' };
    const [first = '', ...more] = repliesTo(
      ["No, sorry, Tuesday doesn't work for me", 'on Thursday', 'yes'],
      settings,
    );
    expect([first, ...more].join(' ')).not.toMatch(/goodbye|end_call/i);
    expect(more[0]).toContain('Thursday');
  });

  it('is not asked again for the day that they offered before the script asks', () => {
    const settings = {
      ...agent,
      script: 'Ask if they can come on Tuesday. If no, ask for their preferred day. Say goodbye.',
    };
    expect(repliesTo(['yes', 'no, Thursday is better'], settings)[1]).toBe(
      'Alright. You said Thursday, right?',
    );
  });
});

describe('a caller who asks back', () => {
  it('is asked once what a short question is about', () => {
    expect(repliesTo(['yes', 'how long is it', 'the cleaning', 'how long is it'])).toEqual([
      'Got it. Can you come on Tuesday at three?',
      'What exactly would you like to know about?',
      'Cleaning takes about forty minutes. Can you come on Tuesday at three?',
      'I am sorry, I do not know that. Can you come on Tuesday at three?',
    ]);
  });

  it('hears why a question is asked, from the prompt or in general, and the question again', () => {
    const script = '1. Ask for their date of birth.\n2. Say goodbye.';
    const reason = 'We need your date of birth to find your file.';
    expect(repliesTo(['yes', 'why do you need that'], { ...agent, script, guidelines: reason })[1]).toBe(
      `${reason} What is your date of birth?`,
    );
    expect(repliesTo(['yes', 'why do you need that'], { ...agent, script, guidelines: '' })[1]).toBe(
      'It is one of the questions that I have been asked to put to you. What is your date of birth?',
    );
  });

  it('hears the question again after a pause', () => {
    expect(repliesTo(['yes', 'hold on a second', 'say that again'])).toEqual([
      'Got it. Can you come on Tuesday at three?',
      'Sure, take your time.',
      'Can you come on Tuesday at three?',
    ]);
  });

  it('gets the answer to a question that is not worded as one', () => {
    expect(repliesTo(['yes', 'and the parking'])[1]).toContain('behind the building');
  });
});

describe('a code that is spelt', () => {
  it('is read back as it is written', () => {
    const settings = { ...agent, script: '1. Ask for their booking number.\n2. Say goodbye.' };
    expect(repliesTo(['yes', 'B A four five'], settings)[1]).toContain('BA45');
  });
});
