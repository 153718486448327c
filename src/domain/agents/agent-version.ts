import type { AgentType } from '../../store/json/agent-version.ts';

/** Variables that every outbound agent has (interface, Agent create request). */
export const REQUIRED_VARIABLES = ['callee_name', 'mobile_number'] as const;

export const makesOutboundCalls = (type: AgentType): boolean =>
  type === 'outbound' || type === 'outbound_inbound';
export const takesInboundCalls = (type: AgentType): boolean =>
  type === 'inbound' || type === 'outbound_inbound';
export const isChatAgent = (type: AgentType): boolean => type === 'whatsapp';
