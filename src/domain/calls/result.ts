import { OUTCOMES } from './outcomes.ts';
import type { AnsweredKind } from '@callwright/turns';
import { isMachineOutcome } from '../../shared/machine-outcomes.ts';

/** Where a result comes from. */
export const RESULT_SOURCES = ['goal', 'label', 'ending'] as const;
export type ResultSource = (typeof RESULT_SOURCES)[number];

/** What came of a call, in one value of plain words: it is what pages, reports and filters show first. */
export interface CallResult {
  readonly text: string;
  readonly source: ResultSource;
}

/** How the last attempt of a call ended, or how the call ended before it was dialled. */
export interface CallEnding {
  readonly subStatus: string;
  readonly isOutbound: boolean;
  /** The callee declined the call. */
  readonly isDeclined: boolean;
  /** Of the talk; null: not answered. */
  readonly durationMs: number | null;
  /** Who answered; null: nobody, or it was not judged. */
  readonly answeredBy: AnsweredKind | null;
}

/** A person who hangs up sooner has not heard what the call is about. */
const AT_ONCE_MS = 5_000;
const LONGEST_TEXT = 100;

const ENDINGS: Readonly<Record<string, string>> = {
  VOICEMAIL_DETECTED: 'Voicemail',
  CALL_SCREENED: 'Call screened',
  BUSY: 'Busy',
  NO_ANSWER: 'No answer',
  NOT_ABLE_TO_CALL: 'Wrong number',
  FAILED: 'Not connected',
  PRE_CALL_API_FAILED: 'Stopped by a tool',
  DND_SKIPPED: 'Do not call',
  OPTED_OUT: 'Asked for no more calls',
  USER_TERMINATED: 'Cancelled',
  CAMPAIGN_TIME_EXCEEDED: 'Campaign over',
  INSUFFICIENT_BALANCE: 'Not enough credits',
  AGENT_ENDED: 'Conversation finished',
  USER_BECAME_IDLE: 'Went silent',
  MAX_CALL_DURATION: 'Reached the longest duration',
  MEDIA_TIMEOUT: 'Connection lost',
  CALL_TRANSFERRED: 'Transferred',
  SERVICE_STOPPED: 'Stopped by the service',
  UNKNOWN_AFTER_CRASH: 'Stopped by the service',
};

/** Endings that have other words once a person or machine has answered. */
const ANSWERED_ENDINGS: Readonly<Record<string, string>> = {
  NOT_ABLE_TO_CALL: 'Fax or announcement',
  FAILED: 'Stopped by the service',
  USER_TERMINATED: 'Ended by the workspace',
};

/** The machines that end a call as NOT_ABLE_TO_CALL: the list of sub-statuses of the interface has none for each. */
const MACHINES: Partial<Readonly<Record<AnsweredKind, string>>> = {
  fax: 'A fax machine answered',
  sit: 'Announcement',
};

/** The result of a call whose conversation says nothing more: the way it ended. */
export function resultOfEnding(ending: CallEnding): CallResult {
  return { text: endingText(ending), source: 'ending' };
}

function endingText({ subStatus, isOutbound, isDeclined, durationMs, answeredBy }: CallEnding): string {
  if (isDeclined) return 'Refused';
  if (durationMs === null) {
    const isGivenUp = !isOutbound && (subStatus === 'USER_TERMINATED' || subStatus === 'USER_LEFT');
    return isGivenUp ? 'Hung up before the answer' : (ENDINGS[subStatus] ?? inWords(subStatus));
  }
  if (subStatus === 'USER_LEFT') return durationMs < AT_ONCE_MS ? 'Hung up at once' : 'Hung up';
  const machine = answeredBy === null ? undefined : MACHINES[answeredBy];
  if (subStatus === 'NOT_ABLE_TO_CALL' && machine !== undefined) return machine;
  return ANSWERED_ENDINGS[subStatus] ?? ENDINGS[subStatus] ?? inWords(subStatus);
}

/** What the analyses of a conversation found. */
export interface Answers {
  /** How the attempt of the conversation ended. */
  readonly subStatus: string;
  /** The client-analysis key that names the agent's goal; null: it has none. */
  readonly goalKey: string | null;
  readonly client: Readonly<Record<string, unknown>> | null;
  readonly classification: string | null;
}

/**
 * The result that a conversation gives its call: the answer to the agent's goal, else its label. Null without either,
 * and when a machine answered: its words are no answer of a person.
 */
export function resultOfAnswers({ subStatus, goalKey, client, classification }: Answers): CallResult | null {
  if (isMachineOutcome(subStatus)) return null;
  const answer = goalKey === null ? null : answerText(goalKey, client?.[goalKey]);
  if (answer !== null) return { text: answer, source: 'goal' };
  const label = labelText(classification ?? '');
  return label === '' ? null : { text: label, source: 'label' };
}

/** Yes and no need the key's name beside them; every other value is its own answer. */
function answerText(key: string, value: unknown): string | null {
  if (typeof value === 'boolean') return short(`${inWords(key)}: ${value ? 'yes' : 'no'}`);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? short(value) : null;
}

const OWN_LABELS: ReadonlySet<string> = new Set(OUTCOMES);
/** The workspace's own labels keep their spelling. */
const labelText = (label: string): string => (OWN_LABELS.has(label) ? inWords(label) : short(label));

const short = (text: string): string => {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length <= LONGEST_TEXT ? line : `${line.slice(0, LONGEST_TEXT - 1)}…`;
};

/** `wants_another_day` or `NO_ANSWER` as "Wants another day". */
function inWords(code: string): string {
  const words = short(code.replaceAll('_', ' ').toLowerCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
