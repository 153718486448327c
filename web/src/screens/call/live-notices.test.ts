import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { knownNotice, noticeText } from './live-notices.ts';

const root = resolve(import.meta.dirname, '../../../../src');
/** Where the service gives notices of what members of the workspace do in a call. */
const SOURCES = [
  'dialer/call-hold.ts',
  'dialer/member-orders.ts',
  'dialer/live-calls.ts',
  'session/person.ts',
];
const GIVEN = /(?:#not(?:ic)?e\(\s*'[A-Z_]+',\s*|\bmessage: )(?:'([^'\n]+)'|`([^`\n]+)`)/g;
const messages = SOURCES.flatMap((file) =>
  [...readFileSync(resolve(root, file), 'utf8').matchAll(GIVEN)].map(([, plain, template]) =>
    (plain ?? template ?? '').replaceAll(/\$\{[^}]+\}/g, 'Sam'),
  ),
);

describe('the notices of a live call', () => {
  it('are known to the page wherever a member of the workspace causes them', () => {
    expect(messages.length).toBeGreaterThan(15);
    expect(messages.filter((message) => knownNotice(message) === null)).toEqual([]);
  });

  it('keep who did it, and what was said', () => {
    expect(noticeText('sam@x.example put the caller on hold')).toBe('sam@x.example put the person on hold.');
    expect(noticeText('sam gave the assistant a note: Offer Tuesday: it is free')).toBe(
      'sam gave the assistant a note: Offer Tuesday: it is free',
    );
    expect(noticeText('sam invites Ida (+14155550123) to the call')).toBe('sam invites Ida (+14155550123).');
  });

  it('are sentences, also those that the page does not know', () => {
    expect(noticeText('the disk is full')).toBe('The disk is full');
    expect(noticeText('')).toBe('');
  });
});
