export type CallStatus = 'registered' | 'ongoing' | 'retry' | 'completed' | 'failed' | 'error' | 'cancelled';
export type CallType = 'outbound' | 'inbound' | 'webcall';
export type AttemptStatus = 'claimed' | 'dialing' | 'ringing' | 'answered' | 'ended';
export type CampaignState =
  | 'uploaded'
  | 'verifying'
  | 'draft'
  | 'scheduled'
  | 'ongoing'
  | 'paused'
  | 'completed'
  | 'terminated'
  | 'failed'
  | 'insufficient_balance';
export type AgentType = 'inbound' | 'outbound' | 'outbound_inbound';
