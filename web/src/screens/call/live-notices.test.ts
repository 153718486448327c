import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { knownNotice, NOTICES, noticeText } from './live-notices.ts';
import { REFUSALS, refusalText } from './refusal-words.ts';
import { formOf, type SentenceForms } from '../../words/sentence-forms.ts';

const root = resolve(import.meta.dirname, '../../../../src');
const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.includes('node_modules'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
const strangers = (forms: SentenceForms): string[] =>
  forms.map(([service]) => service).filter((service) => !new RegExp(formOf(service)).test(everySource));
/** Where the service gives notices of what members of the workspace do in a call. */
const SOURCES = [
  'dialer/call-hold.ts',
  'dialer/member-orders.ts',
  'dialer/live-calls.ts',
  'session/person.ts',
  'session/conversation-record.ts',
];
const GIVEN = /(?:#not(?:ic)?e\(\s*'[A-Z_]+',\s*|\bmessage: )(?:'([^'\n]+)'|`([^`\n]+)`)/g;
/** Where transfers and guests are refused, and the words in which. */
const REFUSING = ['dialer/transfer.ts', 'dialer/warm-transfer.ts', 'dialer/tool-use.ts'];
const REFUSED =
  /(?:\bno\(|\bfailed\(|#fail\(null, |'target' : 'system', |\breason: |\brefusal = |\? |\breturn |^ +\w+: )'((?:[a-z]+ ){2,}[a-z]+)'/gm;
/** What stands in place of a part of a template, where the service has few values for it. */
const PARTS = { '${does}': ['recognises', 'replies', 'speaks'], $1: ['this installation', 'the workspace'] };
const sources = ['dialer', 'session', 'telephony', 'providers', 'workers', 'domain/workspaces']
  .flatMap((folder) => sourcesIn(resolve(root, folder)))
  .concat(sourcesIn(resolve(root, '../packages/sip')));
const lines = sources
  .flatMap((source) => source.split('\n'))
  .flatMap((line) => {
    const [part, values] = Object.entries(PARTS).find(([name]) => line.includes(name)) ?? ['', ['']];
    return values.map((value) => line.replace(part, value));
  });
const everySource = lines.flatMap((line) => [line, line.replaceAll(/\$\{[^{}]+\}/g, 'Sam')]).join('\n');
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

  it('are those that the service gives', () => {
    expect(strangers(NOTICES)).toEqual([]);
    expect(strangers(REFUSALS)).toEqual([]);
  });

  it('say why a transfer or an invitation failed, in words of the page', () => {
    const reasons = REFUSING.flatMap((file) =>
      [...readFileSync(resolve(root, file), 'utf8').matchAll(REFUSED)].map(([, reason = '']) => reason),
    );
    expect(reasons.length).toBeGreaterThan(20);
    const known = new Set(REFUSALS.map(([service]) => service));
    expect([...new Set(reasons)].filter((reason) => !known.has(reason))).toEqual([]);
    expect(noticeText('Ida did not join the call: the other side refused')).toBe(
      'Ida did not join the call: the other phone refused.',
    );
    expect(refusalText('the target has a country code that does not exist')).toBe(
      'the target has a country code that does not exist',
    );
    expect(refusalText('Busy Here')).toBe('the line is busy');
    expect(refusalText('486 Busy Here; Q.850 17 (retry after 5 s)')).toBe('the line is busy');
    expect(refusalText('606 Not Acceptable')).toBe('606 Not Acceptable');
    expect(refusalText('Q.850 says 41')).toBe('Q.850 says 41');
  });

  it('show no words that are for the log of the service', () => {
    expect(noticeText('TypeError: x is null\n    at file.js:1', 'CONVERSATION_FAILED')).toBe(
      'An error of the service ended the conversation.',
    );
  });

  it('are sentences, also those that the page does not know', () => {
    expect(noticeText('the disk is full')).toBe('The disk is full');
    expect(noticeText('')).toBe('');
  });
});
