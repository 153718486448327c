import { toUse, valueOf, VARIABLE } from '../../shared/variables.ts';

/**
 * Substitutes variables in one pass: values are not expanded again. A variable without a value becomes its fallback, or
 * empty: a request is data, not speech.
 */
export const substitute = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replaceAll(VARIABLE, (...match: string[]) => {
    const { name, fallback } = toUse(match);
    return valueOf(variables, name) ?? fallback ?? '';
  });

const PART = /\[(\d{1,4})\]|([^.[\]]+)/gu;
const MAX_VALUE_CHARS = 1000;

/** The value at a path such as `data.slots[0].time`, as text; null if absent. */
export function textAt(value: unknown, path: string): string | null {
  let at: unknown = value;
  for (const [, index, key] of path.matchAll(PART)) {
    const part = index ?? key ?? '';
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return null;
    at = (at as Record<string, unknown>)[part];
  }
  if (at === null || at === undefined) return null;
  const text = typeof at === 'string' ? at : JSON.stringify(at);
  return text.slice(0, MAX_VALUE_CHARS);
}

/** Facts of the call that tools can use as variables. */
export interface ToolFacts {
  readonly callId: string;
  readonly direction: 'outbound' | 'inbound' | 'webcall';
  readonly from: string;
  readonly to: string;
  readonly agentId: string | null;
  readonly agentName: string;
}

/** The variables of a call's tools; facts take precedence over variables of the same name. */
export const toolVariables = (
  args: Readonly<Record<string, string>>,
  facts: ToolFacts,
): Record<string, string> => ({
  ...args,
  call_id: facts.callId,
  call_direction: facts.direction,
  from_number: facts.from,
  to_number: facts.to,
  ...(facts.agentId === null ? {} : { agent_id: facts.agentId }),
  agent_name: facts.agentName,
});
