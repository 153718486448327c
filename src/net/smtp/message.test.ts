import { array, assert, constantFrom, date, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { isMailAddress, mailboxOf } from '../../shared/mailbox.ts';
import { messageOf } from './message.ts';
import { takeReply } from './replies.ts';

const HEADERS = /^(?:[\w-]+: [\x20-\x7e]*|\x20[\x20-\x7e]*)$/;

/** The text of a base64 body. */
const bodyOf = (message: string): string =>
  Buffer.from(message.slice(message.indexOf('\r\n\r\n')), 'base64').toString('utf8');
/** The text of a header with encoded words. */
const decoded = (value: string): string =>
  value
    .split('\r\n ')
    .map((word) => Buffer.from(word.replace(/^=\?UTF-8\?B\?(.*)\?=$/, '$1'), 'base64').toString('utf8'))
    .join('');

/** Why an answer is refused; empty: it is not. */
function faultOf(text: string): string {
  try {
    takeReply(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

it('carries any subject and text whole, and none of them can add a header or end the message', () => {
  const text = string({ unit: 'grapheme', maxLength: 300 });
  assert(
    property(text, text, text, date({ noInvalidDate: true }), (name, subject, body, at) => {
      const message = messageOf({
        from: { name, address: 'calls@example.com' },
        to: ['ops@example.com', 'boss@example.com'],
        subject,
        text: body,
        id: 'job-1',
        at,
      });
      const [head = ''] = message.split('\r\n\r\n');
      const lines = head.split('\r\n');
      expect(lines.every((line) => HEADERS.test(line) && line.length < 998)).toBe(true);
      expect(lines.filter((line) => /^\w/.test(line))).toHaveLength(9);
      expect(decoded(/^Subject: (.*?)\r\n\w/ms.exec(head)?.[1] ?? '')).toBe(subject.toWellFormed());
      expect(bodyOf(message)).toBe(body.toWellFormed().replaceAll(/\r?\n/g, '\r\n'));
      expect(message).not.toMatch(/^\.$/m);
    }),
  );
});

it('reads answers of a server in any pieces, and refuses what is no SMTP or has no end', () => {
  const whole = '250-mail.example.com\r\n250-STARTTLS\r\n250 OK\r\n';
  for (let at = 0; at < whole.length; at += 1) expect(takeReply(whole.slice(0, at))).toBeNull();
  expect(takeReply(`${whole}354 go`)).toEqual({
    reply: { code: 250, lines: ['mail.example.com', 'STARTTLS', 'OK'] },
    rest: '354 go',
  });
  expect(() => takeReply('HTTP/1.1 400 Bad Request\r\n')).toThrow('does not speak SMTP');
  expect(() => takeReply('2'.repeat(70_000))).toThrow('answers too much');
  assert(
    property(array(constantFrom('2', '5', '0', '-', ' ', 'x', '\r', '\n'), { maxLength: 60 }), (bytes) => {
      expect(faultOf(bytes.join(''))).toMatch(/^(?:|the mail server .*)$/);
    }),
  );
});

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
