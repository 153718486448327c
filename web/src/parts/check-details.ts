import { formatTime } from '../ui/format.tsx';
import { pageSentence, type SentenceForms } from '../words/sentence-forms.ts';
import { t } from '../words/words.ts';
import { faultMessage } from './vendor-fault.ts';

/** What is wrong with a trunk, as the service words it. */
export const TRUNK_FAULTS: SentenceForms = [
  [
    'the registrar answers {status}: it does not take this account with its password',
    'the registrar answers {status}: it does not take this account with its password',
  ],
  ['the registrar answers {status}', 'the registrar answers {status}'],
  ['its address does not answer OPTIONS', 'its address does not answer'],
  ['it does not answer OPTIONS, or left a call unanswered', 'it does not answer, or left a call unanswered'],
  ["the carrier's API does not answer: {detail}", 'the API of the carrier does not answer: {detail}'],
  [
    'the carrier answers {status}: it does not take this account with its auth token',
    'the carrier answers {status}: it does not take this account with its auth token',
  ],
  [
    'the carrier answers 404: it knows no such account',
    'the carrier answers 404: it does not know this account',
  ],
  [
    'the carrier answers 404: it knows no such application',
    'the carrier answers 404: it does not know this application',
  ],
  ["the carrier's API answers {status}", 'the API of the carrier answers {status}'],
  ['the account is not active', 'the account is not active'],
];

/** What a check found, as the service words it; several stand behind each other. */
export const DETAILS: SentenceForms = [
  ['the readiness checks timed out', 'the checks took too long'],
  ['the readiness checks failed', 'the checks failed'],
  ['the thread of the calls does not respond', 'the thread of the calls does not respond'],
  ['trunk {name} is not registered', 'trunk {name} is not registered'],
  ['trunk {name} does not respond', 'trunk {name} does not respond'],
  ['trunk {name}: {fault}', 'trunk {name}: {fault}'],
  [
    '{count} of {most} gateways of trunk {name} do not respond',
    '{count} of {most} gateways of trunk {name} do not respond',
  ],
  [
    '{count} ended calls wait for the database to store their outcome',
    'ended calls that wait for the database to store their outcome: {count}',
  ],
  [
    'the disk is below DISK_FLOOR_MB: uploads and recordings are refused',
    'the disk has less space than DISK_FLOOR_MB asks for: uploads and recordings are refused',
  ],
  ['the disk is almost full: no new calls begin', 'the disk is almost full: no new calls begin'],
  ['{count} recordings could not be kept', 'recordings that could not be kept: {count}'],
  ['the folder of recordings cannot be read', 'the folder of recordings cannot be read'],
  ['{count} MB are left for recordings', '{count} MB are left for recordings'],
  ["this host's clock is {seconds} s ahead", 'the clock of this machine is {seconds} s ahead'],
  ["this host's clock is {seconds} s behind", 'the clock of this machine is {seconds} s behind'],
  ["the database's clock is {seconds} s ahead", 'the clock of the database is {seconds} s ahead'],
  ["the database's clock is {seconds} s behind", 'the clock of the database is {seconds} s behind'],
  [
    'no process that carries calls is alive: calls wait until one starts',
    'no process that carries calls runs: calls wait until one starts',
  ],
  [
    'recordings of {names} lie on a disk that this process does not read, so links to them answer 404: set S3_ENDPOINT in every process, or share the folder recordings of DATA_DIR',
    'the recordings of {names} lie on a disk that this process cannot read, so links to them lead nowhere: set S3_ENDPOINT in every process, or share the folder recordings of DATA_DIR',
  ],
  [
    "{fault}: without a vendor's recogniser, callers can only answer by keypad",
    '{fault}: without the recogniser of a vendor, people can only answer by keypad',
  ],
  [
    'the recogniser of this machine does not work: {fault}',
    'the recogniser of this machine does not work: {fault}',
  ],
  ['the voices of this machine do not work: {fault}', 'the voices of this machine do not work: {fault}'],
  [
    '{name} cannot be loaded ({fault}): calls hear phrases',
    '{name} cannot be loaded ({fault}): calls understand only set phrases',
  ],
  ['callwright models verify', 'callwright models verify checks the files'],
  [
    'recogniser {name} failed in each of its last {count} calls: {fault}',
    'the recogniser {name} failed in each of its last {count} calls: {fault}',
  ],
  [
    'held: another SECRET_KEY encrypted their signing secret or headers',
    'deliveries are held: another SECRET_KEY encrypted their signing secret or headers',
  ],
  ['start with that SECRET_KEY to send them', 'start with that SECRET_KEY to send them'],
  ['callwright doctor tries it', 'callwright doctor tries it'],
  [
    '{part}: {fault} (status {status}), once, last at {time}',
    '{part}: {fault} (status {status}), once, at {time}',
  ],
  [
    '{part}: {fault} (status {status}), {times} times, last at {time}',
    '{part}: {fault} (status {status}), {times} times, last at {time}',
  ],
  ['{part}: {fault}, once, last at {time}', '{part}: {fault}, once, at {time}'],
  ['{part}: {fault}, {times} times, last at {time}', '{part}: {fault}, {times} times, last at {time}'],
];

/** Parts of a call, in the notes on vendors. */
const PARTS: readonly (readonly [service: string, page: string])[] = [
  ['recogniser', 'Recognition'],
  ['speaker', 'Voice'],
  ['language model', 'Language model'],
  ['speech-to-speech model', 'Speech to speech'],
];
function partName(value: string): string {
  const [start, name] = PARTS.find(([part]) => value.startsWith(`${part} `)) ?? ['', ''];
  return name === '' ? value : `${t(name)} (${value.slice(start.length + 1)})`;
}

/** What is wrong with a trunk, in the reader's language. */
export const trunkFault = (message: string): string => pageSentence(TRUNK_FAULTS, message) ?? message;

function valueWords(value: string, place: string): string {
  if (place === 'part') return partName(value);
  if (place === 'time') return formatTime(value);
  return place === 'fault' ? faultMessage(trunkFault(value)) : value;
}
const oneDetail = (text: string): string => pageSentence(DETAILS, text, valueWords) ?? faultMessage(text);

/** What a check found, in the reader's language; sentences that the page does not know stay. */
export function checkDetail(detail: string): string {
  const words = detail
    .split('; ')
    .map((part) =>
      part
        .split(/, (?=the database's clock)/)
        .map(oneDetail)
        .join(', '),
    )
    .join('; ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
