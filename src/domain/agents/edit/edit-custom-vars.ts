import { errors } from '../../../errors.ts';
import { makesOutboundCalls, REQUIRED_VARIABLES } from '../agent-version.ts';
import { withAgentConfig, type EditChange, type EditContext } from './edit-context.ts';

export interface EditCustomVars {
  custom_variables: string[];
}

/** Replaces the variable list; 403 when an outbound agent would lose one it must keep. */
export function editCustomVars({ agent, config }: EditContext, input: EditCustomVars): EditChange {
  const kept = new Set(input.custom_variables);
  const missing = REQUIRED_VARIABLES.filter((name) => !kept.has(name));
  if (makesOutboundCalls(agent.agent_type) && missing.length > 0) throw errors.requiredVariables(missing);
  return withAgentConfig(config, { custom_variables: [...kept] });
}
