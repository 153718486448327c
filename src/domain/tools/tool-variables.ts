/** What a tool may name beside the variables of the prompt. */
export interface ToolFacts {
  readonly callId: string;
  readonly direction: 'outbound' | 'inbound' | 'webcall';
  readonly from: string;
  readonly to: string;
  readonly agentId: string | null;
  readonly agentName: string;
}

/** Variables of a call's tools; facts go before variables of the same name. */
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
