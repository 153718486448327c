import type { EditChange, EditContext } from './edit-context.ts';

export interface EditAgentDisplayName {
  agent_display_name: string;
}

export function editAgentDisplayName(_context: EditContext, input: EditAgentDisplayName): EditChange {
  return { displayName: input.agent_display_name };
}
