import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerVirtualCall } from '../../../test/rigs/calls/virtual-session.ts';
import { createScriptLlm } from './brain.ts';
import { callOf, type Call } from './test-call.ts';

const REMINDER = {
  introMessage: 'Hello, this is Maya from City Dental. Is now a good time?',
  script: [
    '1. Ask "Can you make it on Tuesday?"',
    '2. Ask "What is your name?"',
    '3. Say "Please bring your card."',
    '4. Thank them and say goodbye.',
  ].join('\n'),
  faq: 'Q: Where do I park?\nA: You can park behind the clinic.',
  onlyPhrases: false,
};
const MORE = 'Is there anything else I can help you with?';

/** A call whose script is over. */
function finished(): Call {
  const call = callOf(REMINDER);
  for (const line of ['yes', 'yes', 'Sam', 'yes']) call.say(line);
  return call;
}

describe('an agent that hears every word', () => {
  it('asks for more when its script is over, and says goodbye after the caller’s no', () => {
    const call = callOf(REMINDER);
    for (const line of ['yes', 'yes', 'Sam']) call.say(line);
    expect(call.say('yes')).toMatch(/Please bring your card\. Is there anything else I can help you with\?$/);
    expect(call.say('no thank you')).toBe('Thank you for your time. Goodbye! [end_call]');
  });

  it('answers the question that comes instead, and asks again', () => {
    const call = finished();
    expect(call.say('where do I park')).toBe(`You can park behind the clinic. ${MORE}`);
    expect(call.say('goodbye')).toContain('[end_call]');
  });

  it('says goodbye at once to a caller who says so, at any point', () => {
    const call = callOf(REMINDER);
    call.say('yes');
    expect(call.say('goodbye')).toContain('[end_call]');
  });

  it('asks for no more where the script has just done so', () => {
    const call = callOf({ ...REMINDER, script: '1. Ask "Do you have any questions?"\n2. Say goodbye.' });
    call.say('yes');
    expect(call.say('no')).toMatch(/Goodbye! \[end_call\]$/);
  });

  it('asks for more after a callback was arranged', () => {
    const call = callOf(REMINDER);
    call.say('no');
    const noted = call.say('tomorrow at ten');
    expect(noted).toContain(MORE);
    expect(noted).not.toContain('end_call');
  });

  it('never ends a call whose caller neither refuses nor takes leave', () => {
    const line = fc.constantFrom(
      'yes',
      'hello',
      'Tuesday at ten',
      'five',
      'what does it cost',
      'where do I park',
      'who is this',
      'say that again',
      'banana',
      'my name is Sam',
      'I am not sure about that',
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), (lines) => {
        const call = callOf(REMINDER);
        for (const text of lines) {
          call.hear(text);
          expect(call.last.tools.map(({ name }) => name)).not.toContain('end_call');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('waits for a caller who says nothing more as long as any agent: the call ends as idle', async () => {
    const call = answerVirtualCall({ llm: createScriptLlm(), finals: ['hello', 'yes'] });
    await call.hasSaid(/Maya/);
    call.talk(600);
    await call.hasSaid(/Tuesday/);
    call.talk(600);
    await call.hasSaid(/anything else/);
    const askedAt = call.elapsed();
    const { reason, endedAt, startedAt } = await call.result();
    expect(reason).toBe('USER_BECAME_IDLE');
    expect(endedAt - startedAt - askedAt).toBeGreaterThan(16_000);
  });
});
