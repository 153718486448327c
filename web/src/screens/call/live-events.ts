import { formatCode } from '../../ui/format.tsx';
import { ANSWERER_NAMES } from './answerers.ts';

/** What the page shows of a live call's events. */
export interface LiveLine {
  readonly speaker: 'agent' | 'caller' | 'note';
  readonly text: string;
}

/** One line for an event of the live stream; null for events that are not shown as lines. */
export function liveLine(event: unknown): LiveLine | null {
  const { type, line, digit, code, message, subStatus } = event as Record<string, unknown>;
  if (type === 'line') {
    const { role, text } = line as { role: string; text: string };
    return { speaker: role === 'agent' ? 'agent' : 'caller', text };
  }
  if (type === 'dtmf') return { speaker: 'note', text: `The person pressed ${String(digit)}.` };
  if (type === 'interrupted') return { speaker: 'note', text: 'The person interrupted.' };
  if (type === 'notice' && code === 'ANSWERED_BY') {
    const name = ANSWERER_NAMES[message as keyof typeof ANSWERER_NAMES] ?? String(message);
    return { speaker: 'note', text: `Answered by: ${name.toLowerCase()}.` };
  }
  if (type === 'notice') return { speaker: 'note', text: String(message) };
  if (type === 'ended') {
    return { speaker: 'note', text: `The call ended: ${formatCode(String(subStatus)).toLowerCase()}.` };
  }
  return null;
}
