import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainMessage } from './plain-message.ts';

describe('a message of the service', () => {
  it('names fields in words, and entries as people count', () => {
    expect(plainMessage('mobile_numbers[1] must be an E.164 number')).toBe(
      'Entry 2 of mobile numbers must be a number with its country code',
    );
    expect(plainMessage('call_config.call_time.timezone must be a time zone')).toBe(
      'Timezone must be a time zone',
    );
    expect(plainMessage('rows[0].callee_name is missing')).toBe('Callee name in entry 1 of rows is missing');
  });

  it('names no standard of phone numbers', () => {
    const rule = 'must be a phone number in E.164 form with country code, such as +14155550100';
    // The reason of a refused row has no field.
    expect(plainMessage(rule)).toBe('Needs its country code, such as +14155550100');
    expect(plainMessage(`mobile_number ${rule}; did you mean +442079460958?`)).toBe(
      'Mobile number needs its country code, such as +14155550100; did you mean +442079460958?',
    );
    expect(plainMessage('to must be in E.164 form')).toBe('To must be in international form');
  });

  it('stays where it names none', () => {
    for (const message of [
      'The carrier refused the call.',
      'https://example.com/a_b answered 500',
      'Write {{first_name}} for the name',
      'Nobody answers at sip.example.com',
    ])
      expect(plainMessage(message)).toBe(message);
  });

  it('has no snake case left of any field', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 4 }), fc.nat(20), (words, index) => {
        expect(plainMessage(`${words.join('_')}[${index}] must be given`)).not.toMatch(/[_[\]]/);
      }),
    );
  });
});

describe('a refusal that people meet', () => {
  it('has words of the pages in place of those of the interface', () => {
    expect(plainMessage('Agent not found')).toBe('The assistant was not found');
    expect(plainMessage('This needs the role manager in the workspace')).toBe('This needs the role manager');
    expect(plainMessage('Too many attempts to sign in; try again in 40 s')).toBe(
      'Too much at once; try again in 40 s',
    );
  });

  it('says rules about fields behind their names', () => {
    expect(plainMessage('must be at least 12 characters long')).toBe('must be at least 12 characters long');
    expect(plainMessage('callee_name must not be blank; limit must be at most 50')).toBe(
      'Callee name must not be empty; limit must be at most 50',
    );
  });
});
