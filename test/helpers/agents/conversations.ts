import { callOf, type Settings } from '../../../src/offline/script/test-call.ts';

type Line = readonly [caller: string, agent: string];

/** Complete conversations: each line of the caller and the engine's reply, tools in brackets. */
export interface Conversation {
  title: string;
  agent: Settings;
  by?: 'keypad';
  calls: readonly (readonly Line[])[];
}

/** Every call with its lines and the caller's part. */
export const named = (calls: Conversation['calls']): { lines: readonly Line[]; first: string }[] =>
  calls.map((lines) => ({ lines, first: lines.map(([line]) => line).join(' / ') }));

/** The caller's lines of a call with the engine's current replies. */
export function replay({ agent, by }: Pick<Conversation, 'agent' | 'by'>, lines: readonly Line[]): Line[] {
  const call = callOf(agent);
  return lines.map(([line]) => [line, call.say(line, by ?? 'speech').trim()]);
}
