import { PHRASE_TABLES } from './phrases.ts';
import type { MachineKind, MachinePhrase } from './phrases/phrase-table.ts';

/** English comes first, because its kinds have an order of precedence; the other languages name mailboxes only. */
const PATTERNS: readonly MachinePhrase[] = PHRASE_TABLES.flatMap(({ machines }) => machines);

/** The kind of machine that says such words in any language; null for words a person may say as well. */
export function machineKind(text: string): MachineKind | null {
  const line = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N} ]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return PATTERNS.find(([, pattern]) => pattern.test(line))?.[0] ?? null;
}

/**
 * What machines say, as grammar phrases for recognisers of closed sets, split where machines pause. Only long phrases:
 * a recogniser must not mistake a person's short answer for one of them.
 */
export const MACHINE_PHRASES: readonly string[] = [
  'please leave a message after the tone',
  'please leave a message after the beep',
  'please leave your message after the tone',
  'leave your name and number after the tone',
  'leave a message and i will call you back',
  'at the tone please record your message',
  'your call has been forwarded to an automated voice messaging system',
  'i cannot take your call right now',
  "i can't come to the phone right now please leave a message",
  'you have reached the voice mail of',
  'the person you are calling is not available',
  'the number you have dialed is not available',
  'the mailbox is full and cannot accept any messages',
  'please say your name and why you are calling',
  'record your name and reason for calling',
  'the person you are calling is using a call screening service',
  'please state your name after the tone',
  'please stay on the line',
  'please hold while i try to connect you',
];
