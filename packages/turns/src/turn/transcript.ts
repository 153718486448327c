import { HIDDEN_KEYS, hiddenKeys } from './hidden-keys.ts';
import type { HistoryItem } from './ports.ts';
import { joinText } from '../sentences.ts';
import { sealed } from './committed-turn.ts';
import type { Caller } from './caller-state.ts';
import type { Reply } from './reply-state.ts';
import { change, type Keypad, type Step } from './state.ts';
import type { TranscriptLine } from './types.ts';

/** The words of a reply that were sent. */
export const heardText = (reply: Reply): string => joinText(reply.utterances.map((u) => u.heard));

/** The agent's line as far as it was heard; null: nothing was. */
export function agentLine(reply: Reply, interrupted: boolean, at: number): TranscriptLine | null {
  const text = heardText(reply);
  if (text === '') return null;
  const voiced = reply.utterances.filter((u) => u.heard !== '');
  const startedAt = voiced[0]?.startedAt ?? at;
  const endedAt = Math.max(startedAt, voiced.at(-1)?.endedAt ?? at);
  const author = voiced[0]?.author;
  const line = { role: 'agent', text, startedAt, endedAt, interrupted, by: 'speech' } as const;
  return author === undefined ? line : { ...line, author };
}

interface CallerTurn {
  readonly text: string;
  readonly transcribed?: number;
  readonly typed: boolean;
  readonly keypad: Keypad | null;
  readonly startedAt: number;
  readonly lastSoundAt: number;
}

const mediumOf = ({ typed }: { readonly typed: boolean }): 'text' | 'speech' => (typed ? 'text' : 'speech');

export function callerLines(turn: CallerTurn): TranscriptLine[] {
  const lines: TranscriptLine[] = [];
  const text = turn.text.slice(turn.transcribed ?? 0).trim();
  if (text !== '') {
    const endedAt = Math.max(turn.startedAt, turn.lastSoundAt);
    lines.push(callerLine(text, mediumOf(turn), turn.startedAt, endedAt));
  }
  if (turn.keypad !== null) {
    const { digits, hidden, firstAt, lastAt } = turn.keypad;
    lines.push(callerLine(hidden === null ? digits : HIDDEN_KEYS, 'keypad', firstAt, lastAt));
  }
  return lines;
}

const callerLine = (
  text: string,
  by: TranscriptLine['by'],
  startedAt: number,
  endedAt: number,
): TranscriptLine => ({ role: 'caller', text, startedAt, endedAt, interrupted: false, by });

/** The keys as a model may read them. */
export const readableKeys = ({ digits, hidden }: Keypad): string =>
  hidden === null ? digits : hiddenKeys(hidden);

/** The items of a turn with these words, and with the keys. */
export function callerItems(
  text: string,
  keypad: Keypad | null,
  caller: { readonly typed: boolean } = { typed: false },
): HistoryItem[] {
  const items: HistoryItem[] = [];
  if (text !== '') items.push({ role: 'caller', text, by: mediumOf(caller) });
  if (keypad !== null) items.push({ role: 'caller', text: readableKeys(keypad), by: 'keypad' });
  return items;
}

/** Makes the last turn final: it cannot be reopened, and its lines are transcribed. */
export function sealTurn(step: Step): Step {
  const { turn } = step.state;
  if (turn?.phase !== 'open') return step;
  let next = change(step, { turn: sealed(turn) });
  for (const line of callerLines(turn)) next = change(next, {}, { type: 'transcribe', line });
  return next;
}

/** Records caller words that get no reply, in history and transcript. */
export function recordWords(step: Step, text: string, startedAt: number, at: number): Step {
  const known = sealTurn(step);
  const [line] = callerLines({ text, typed: false, keypad: null, startedAt, lastSoundAt: at });
  if (line === undefined) return known;
  const history: HistoryItem[] = [...known.state.history, { role: 'caller', text, by: 'speech' }];
  return change(known, { history }, { type: 'transcribe', line });
}

/** The caller's uncommitted words at the end of the call, including an unconfirmed partial. */
export function unfinishedWords(caller: Caller): string {
  return joinText([caller.text, caller.partial.text.trim()]);
}
