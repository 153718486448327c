import { callOf, type Settings } from '../../src/providers/llm/offline/test-call.ts';

type Line = readonly [caller: string, agent: string];

/** Whole conversations: each line of the caller and what the engine answers, tools in brackets. */
export interface Conversation {
  title: string;
  agent: Settings;
  by?: 'keypad';
  calls: readonly (readonly Line[])[];
}

/** Each call by its lines and by what the caller says in it. */
export const named = (calls: Conversation['calls']): { lines: readonly Line[]; first: string }[] =>
  calls.map((lines) => ({ lines, first: lines.map(([line]) => line).join(' / ') }));

/** The caller's lines of a call, and what the engine answers to them now. */
export function replay({ agent, by }: Pick<Conversation, 'agent' | 'by'>, lines: readonly Line[]): Line[] {
  const call = callOf(agent);
  return lines.map(([line]) => [line, call.say(line, by ?? 'speech').trim()]);
}
