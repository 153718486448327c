import { MACHINE_KINDS, PHRASE_TABLES } from './phrases.ts';
import type { MachineKind, MachinePhrase } from './phrases/phrase-table.ts';

/** What a line says about its speaker. */
export interface SpeakerCue {
  /** The kind of machine that says such words in any language; null: a person may say them as well. */
  readonly machine: MachineKind | null;
  /** The line has words that only a person says. */
  readonly isPerson: boolean;
  /** The line begins as an exchange's that puts the call through: a person greets before. */
  readonly isExchange: boolean;
  /** The line is no more than a hello. */
  readonly isHello: boolean;
}

const SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Bengali}/u,
  /\p{Script=Tamil}/u,
  /\p{Script=Telugu}/u,
  /\p{Script=Kannada}/u,
  /\p{Script=Gujarati}/u,
  /\p{Script=Gurmukhi}/u,
  /\p{Script=Oriya}/u,
  /\p{Script=Han}/u,
  /\p{Script=Myanmar}/u,
  /\p{Script=Arabic}/u,
];

interface Cues {
  readonly machines: readonly MachinePhrase[];
  readonly people: readonly RegExp[];
  readonly exchanges: readonly RegExp[];
}

/** The phrases of the languages that are written in each script. */
const CUES: readonly (Cues & { readonly script: RegExp })[] = SCRIPTS.map((script) => {
  const tables = PHRASE_TABLES.filter(({ conversation }) => script.test(conversation.phrases.idleCheckIn));
  const machines = tables.flatMap((table) => table.machines);
  return {
    script,
    machines: machines.toSorted(
      ([one], [other]) => MACHINE_KINDS.indexOf(one) - MACHINE_KINDS.indexOf(other),
    ),
    people: tables.flatMap(({ people }) => people),
    exchanges: tables.flatMap(({ exchange }) => exchange ?? []),
  };
});
const HELLOS = new Set(PHRASE_TABLES.flatMap(({ conversation }) => conversation.greetings.map(plain)));

export function speakerCue(text: string): SpeakerCue {
  const line = plain(text);
  const cues = CUES.filter(({ script }) => script.test(line));
  let rest = line;
  // An offer to take a message has the words of a mailbox.
  for (const { people } of cues) for (const pattern of people) rest = rest.replace(pattern, ' ');
  const isPerson = rest !== line;
  const found = cues
    .map(({ machines }) =>
      machines.find(([, pattern, unless]) => !(unless && isPerson) && pattern.test(rest)),
    )
    .find((machine) => machine !== undefined);
  const isExchange = cues.some(({ exchanges }) => exchanges.some((exchange) => exchange.test(line)));
  return { machine: found?.[0] ?? null, isPerson, isExchange, isHello: HELLOS.has(line) };
}

export const machineKind = (text: string): MachineKind | null => speakerCue(text).machine;

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N} ]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
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
