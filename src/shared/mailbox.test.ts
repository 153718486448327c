import { expect, it } from 'vitest';
import { isMailAddress, mailboxOf } from './mailbox.ts';

it('takes addresses with or without a name, and none with a line break, a comment or another alphabet', () => {
  expect(mailboxOf('Callwright <calls@example.com>')).toEqual({
    name: 'Callwright',
    address: 'calls@example.com',
  });
  expect(mailboxOf('calls@example.com')).toEqual({ name: '', address: 'calls@example.com' });
  for (const wrong of [
    'calls',
    'a@b@c',
    'a b@example.com',
    'x@example.com\r\nBcc: y@example.com',
    '<>',
    'ä@example.com',
  ])
    expect([wrong, isMailAddress(wrong), mailboxOf(wrong)]).toEqual([wrong, false, null]);
});
