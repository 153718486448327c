import { expect, it } from 'vitest';
import { failureText } from './failure-text.ts';

it('keeps the words of the far side behind its own', () => {
  expect(
    failureText({
      code: 'CARRIER_REFUSED',
      message:
        'The carrier refused the call. See sip_messages of the attempt, and ask the carrier. (Number not in service)',
    }),
  ).toBe('The carrier refused the call. See the SIP messages, and ask the carrier. (Number not in service)');
});

it('says what the service says of a failure that it does not know', () => {
  const failure = { code: 'NEW', message: 'Something new.' } as unknown as Parameters<typeof failureText>[0];
  expect(failureText(failure)).toBe('Something new.');
});
