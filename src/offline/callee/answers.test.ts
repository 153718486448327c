import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replyTo } from './answers.ts';

describe('replyTo', () => {
  it.each([
    ['sorry about that what day would suit you', 'On Tuesday.'],
    ['which weekday is better for you', 'On Tuesday.'],
    ['at what time should we come', 'Nine in the morning.'],
    ['when would be a good time to call you back', 'Nine in the morning.'],
    ['thank you how many people will there be', 'Three.'],
    ['on a scale of one to five how satisfied were you', 'Three.'],
    ['could you tell me the number', 'One two three four.'],
    ['may i have your name', 'Alex.'],
    ['do you have any other questions', 'No, thank you.'],
    ['is there anything else i can help you with', 'No, thank you.'],
    ['you said tuesday right', 'Yes.'],
    ['what day suits you you said tuesday right', 'Yes.'],
    ['so it is on friday at three is that correct', 'Yes.'],
    ['would you like a morning or an afternoon appointment', 'Morning.'],
    ['do you prefer the afternoon or the evening', 'Afternoon.'],
    ['would the morning the afternoon or the evening be better', 'Morning.'],
    ['thank you for your time goodbye', 'Goodbye.'],
    ['see you on tuesday then have a nice day', 'Goodbye.'],
    ['which date good bye', 'Goodbye.'],
  ])('%s: %s', (heard, say) => {
    expect(replyTo(heard)).toMatchObject({ say, understood: true });
  });

  it('answers the last recognised question, and yes to anything else', () => {
    expect(replyTo('goodbye which day')).toMatchObject({ say: 'On Tuesday.', goodbye: false });
    expect(replyTo('we are open in the morning can you make it')).toMatchObject({
      say: 'Yes.',
      understood: false,
    });
    expect(replyTo('at what hour should we come by').goodbye).toBe(false);
    expect(replyTo('will you come by')).toMatchObject({ say: 'Yes.', goodbye: false });
    expect(replyTo('')).toEqual({ say: 'Yes.', goodbye: false, understood: false, notCaught: false });
  });

  it('detects that the agent did not understand', () => {
    expect(replyTo('sorry i did not catch that')).toMatchObject({ notCaught: true, understood: false });
    expect(replyTo('sorry i did not quite understand how many')).toMatchObject({
      notCaught: true,
      say: 'Three.',
    });
  });

  it('answers arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (heard) => {
        expect(replyTo(heard).say).toMatch(/^[A-Z][a-z, ]+\.$/);
      }),
      { seed: 3 },
    );
  });
});
