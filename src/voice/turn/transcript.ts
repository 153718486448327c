import type { HistoryItem } from '../ports.ts';
import { joinText } from '../prompt/sentences.ts';
import { change, type Caller, type Keypad, type Reply, type Step } from './state.ts';
import type { TranscriptLine } from './types.ts';

/** The words of a reply that were on the wire, no others. */
export const heardText = (reply: Reply): string => joinText(reply.utterances.map((u) => u.heard));

/** The agent's line as far as it was heard; null when nothing was. */
export function agentLine(reply: Reply, interrupted: boolean, at: number): TranscriptLine | null {
  const text = heardText(reply);
  if (text === '') return null;
  const voiced = reply.utterances.filter((u) => u.heard !== '');
  const startedAt = voiced[0]?.startedAt ?? at;
  const endedAt = Math.max(startedAt, voiced.at(-1)?.endedAt ?? at);
  return { role: 'agent', text, startedAt, endedAt, interrupted, by: 'speech' };
}

interface Said {
  readonly text: string;
  readonly keypad: Keypad | null;
  readonly startedAt: number;
  readonly lastSoundAt: number;
}

export function callerLines(said: Said): TranscriptLine[] {
  const lines: TranscriptLine[] = [];
  if (said.text !== '') {
    const endedAt = Math.max(said.startedAt, said.lastSoundAt);
    lines.push(callerLine(said.text, 'speech', said.startedAt, endedAt));
  }
  if (said.keypad !== null) {
    lines.push(callerLine(said.keypad.digits, 'keypad', said.keypad.firstAt, said.keypad.lastAt));
  }
  return lines;
}

const callerLine = (
  text: string,
  by: TranscriptLine['by'],
  startedAt: number,
  endedAt: number,
): TranscriptLine => ({ role: 'caller', text, startedAt, endedAt, interrupted: false, by });

export function callerItems(text: string, keypad: Keypad | null): HistoryItem[] {
  const items: HistoryItem[] = [];
  if (text !== '') items.push({ role: 'caller', text, by: 'speech' });
  if (keypad !== null) items.push({ role: 'caller', text: keypad.digits, by: 'keypad' });
  return items;
}

/** The last turn can no longer be opened: its lines are final. */
export function sealTurn(step: Step): Step {
  const { turn } = step.state;
  if (turn === null || turn.sealed) return step;
  let next = change(step, { turn: { ...turn, sealed: true } });
  for (const line of callerLines(turn)) next = change(next, {}, { type: 'transcribe', line });
  return next;
}

/** Keeps caller words that get no reply of their own: history and transcript, nothing else. */
export function recordWords(step: Step, text: string, startedAt: number, at: number): Step {
  const sealed = sealTurn(step);
  const [line] = callerLines({ text, keypad: null, startedAt, lastSoundAt: at });
  if (line === undefined) return sealed;
  const history: HistoryItem[] = [...sealed.state.history, { role: 'caller', text, by: 'speech' }];
  return change(sealed, { history }, { type: 'transcribe', line });
}

/** What the caller was about to say when the call ended, with words no final confirmed. */
export function unfinishedWords(caller: Caller): string {
  return joinText([caller.text, caller.partial.trim()]);
}
