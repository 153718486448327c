import type { Fields } from '@callwright/fields';
import type { S2sEvent } from '../../providers/s2s/dialect.ts';

/** A finished item of a reply: the tool that it calls, if it does. */
export function toolCall(reply: string, item: Fields): readonly S2sEvent[] {
  if (item.text('type') !== 'function_call') return [{ type: 'alive' }];
  const [id, name] = [item.text('call_id'), item.text('name')];
  return [{ type: 'tool', reply, id, name, args: argsOf(item.text('arguments')) }];
}

/** The arguments of a call; without an object, none. */
function argsOf(text: string): Record<string, unknown> {
  try {
    const args: unknown = JSON.parse(text);
    if (typeof args === 'object' && args !== null && !Array.isArray(args)) return { ...args };
  } catch {
    // The tool reports missing arguments.
  }
  return {};
}
