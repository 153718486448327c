import { describe, expect, it } from 'vitest';
import { isSignedForm } from './twilio.ts';

/** The example of Twilio's documentation of its signature, and of the tests of its own libraries (twilio-php). */
const URL_OF_HOOK = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const FORM = new URLSearchParams({
  CallSid: 'CA1234567890ABCDE',
  Caller: '+14158675309',
  Digits: '1234',
  From: '+14158675309',
  To: '+18005551212',
});
const SIGNATURE = 'RSOYDt4T1cUTdK1PDd93/VVr8B8=';

describe('the signature of a voice webhook', () => {
  it('is that of the vendor’s own example', () => {
    expect(isSignedForm({ url: URL_OF_HOOK, form: FORM }, SIGNATURE, '12345')).toBe(true);
  });

  it('takes the values of a repeated field once each, in their order', () => {
    const form = new URLSearchParams([
      ['Sid', 'CA123'],
      ['SidAccount', 'AC123'],
      ['Digits', '5678'],
      ['Digits', '1234'],
      ['Digits', '1234'],
    ]);
    expect(isSignedForm({ url: URL_OF_HOOK, form }, 'IK+Dwps556ElfBT0I3Rgjkr1wJU=', '12345')).toBe(true);
  });

  it('covers the address, the fields and the secret', () => {
    const changed = new URLSearchParams(FORM);
    changed.set('From', '+14158675310');
    expect([
      isSignedForm({ url: `${URL_OF_HOOK}3`, form: FORM }, SIGNATURE, '12345'),
      isSignedForm({ url: URL_OF_HOOK, form: changed }, SIGNATURE, '12345'),
      isSignedForm({ url: URL_OF_HOOK, form: FORM }, SIGNATURE, '12346'),
      isSignedForm({ url: URL_OF_HOOK, form: FORM }, '', '12345'),
    ]).toEqual([false, false, false, false]);
  });
});
