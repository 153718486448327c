import { ANSWERER_NAMES } from './answerers.ts';
import { noticeText } from './live-notices.ts';
import { outcomeName } from '../../parts/outcomes.ts';
import { t, within } from '../../words/words.ts';

/** What the page shows of a live call's events. */
export interface LiveLine {
  readonly speaker: 'agent' | 'caller' | 'note';
  readonly text: string;
  /** The member of the workspace whose words the line has. */
  readonly author?: string;
}

/** One line for an event of the live stream; null for events that are not shown as lines. */
export function liveLine(event: unknown): LiveLine | null {
  const { type, line, digit, code, message, subStatus } = event as Record<string, unknown>;
  if (type === 'line') {
    const { role, text, author } = line as { role: string; text: string; author?: string };
    const speaker = role === 'agent' ? 'agent' : 'caller';
    return { speaker, text, ...(author === undefined ? {} : { author }) };
  }
  if (type === 'dtmf')
    return { speaker: 'note', text: t('The person pressed {digit}.', { digit: String(digit) }) };
  if (type === 'interrupted') return { speaker: 'note', text: t('The person interrupted.') };
  if (type === 'notice' && code === 'ANSWERED_BY') {
    const name = t(ANSWERER_NAMES[message as keyof typeof ANSWERER_NAMES] ?? String(message));
    return { speaker: 'note', text: t('Answered by: {name}.', { name: within(name) }) };
  }
  if (type === 'notice') return { speaker: 'note', text: noticeText(String(message), String(code)) };
  if (type === 'ended') {
    return {
      speaker: 'note',
      text: t('The call ended: {reason}.', { reason: within(outcomeName(String(subStatus))) }),
    };
  }
  return null;
}

/** The words of a line that is not over, after an event; undefined: the event changes nothing about them. */
export function openWords(event: unknown): LiveLine | null | undefined {
  const { type, role, text } = event as { type?: unknown; role?: unknown; text?: unknown };
  if (type === 'words') return { speaker: role === 'agent' ? 'agent' : 'caller', text: `${String(text)}…` };
  return type === 'line' || type === 'ended' ? null : undefined;
}

/** Whether an event says that a person took the call over, or handed it back; null: neither. */
export function takenBy(event: unknown): boolean | null {
  const { type, code } = event as { type?: unknown; code?: unknown };
  if (type !== 'notice') return null;
  return code === 'TAKEN_OVER' ? true : code === 'HANDED_BACK' ? false : null;
}

/** Whether an event says that the person was put on hold, or taken off it; null: neither. */
export function heldBy(event: unknown): boolean | null {
  const { type, code } = event as { type?: unknown; code?: unknown };
  if (type !== 'notice') return null;
  return code === 'ON_HOLD' ? true : code === 'OFF_HOLD' ? false : null;
}

const GUESTS: Readonly<Record<string, number>> = { GUEST_INVITED: 1, GUEST_FAILED: -1, GUEST_LEFT: -1 };

/** How many more or fewer people have been invited to the call, after an event. */
export function guestsBy(event: unknown): number {
  const { type, code } = event as { type?: unknown; code?: unknown };
  return type === 'notice' && typeof code === 'string' ? (GUESTS[code] ?? 0) : 0;
}
