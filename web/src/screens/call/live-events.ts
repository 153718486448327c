/** What the page shows of a live call's events. */
export interface LiveLine {
  readonly speaker: 'agent' | 'caller' | 'note';
  readonly text: string;
}

/** One line for an event of the live stream; null for events that are not shown as lines. */
export function liveLine(event: unknown): LiveLine | null {
  const { type, line, digit, message, subStatus } = event as Record<string, unknown>;
  if (type === 'line') {
    const { role, text } = line as { role: string; text: string };
    return { speaker: role === 'agent' ? 'agent' : 'caller', text };
  }
  if (type === 'dtmf') return { speaker: 'note', text: `The person pressed ${String(digit)}.` };
  if (type === 'interrupted') return { speaker: 'note', text: 'The person interrupted.' };
  if (type === 'notice') return { speaker: 'note', text: String(message) };
  if (type === 'ended') return { speaker: 'note', text: `The call ended: ${String(subStatus)}.` };
  return null;
}
