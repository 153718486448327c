/** Facts of the call that tools can use as variables. */
export interface ToolFacts {
  readonly callId: string;
  readonly direction: 'outbound' | 'inbound' | 'webcall';
  readonly from: string;
  readonly to: string;
  readonly agentId: string | null;
  readonly agentName: string;
}

/** What a post-call tool knows besides: how the conversation ended. */
export interface EndFacts {
  readonly status: string;
  readonly subStatus: string;
  readonly durationMs: number;
  readonly answeredAt: Date | null;
  readonly endedAt: Date | null;
  readonly hangupBy: string;
  readonly transcript: string;
  /** ISO 8601; empty: none was scheduled. */
  readonly callbackAt: string;
}

type Variables = Record<string, string>;

/** The variables of a call's tools; facts take precedence over variables of the same name. */
export const toolVariables = (args: Readonly<Variables>, facts: ToolFacts): Variables => ({
  ...args,
  call_id: facts.callId,
  call_direction: facts.direction,
  from_number: facts.from,
  to_number: facts.to,
  ...(facts.agentId === null ? {} : { agent_id: facts.agentId }),
  agent_name: facts.agentName,
});

/** The variables of a post-call tool. `args` and what the conversation learnt may have another name of the person. */
export const postCallVariables = (
  of: {
    readonly name: string;
    readonly args: Readonly<Variables>;
    readonly learnt: Readonly<Variables>;
    readonly facts: ToolFacts;
  },
  end: EndFacts,
): Variables => ({
  ...toolVariables({ callee_name: of.name, ...of.args, ...of.learnt }, of.facts),
  call_status: end.status,
  call_sub_status: end.subStatus,
  call_duration: String(end.durationMs / 1000),
  answered_at: end.answeredAt?.toISOString() ?? '',
  ended_at: end.endedAt?.toISOString() ?? '',
  hangup_by: end.hangupBy,
  transcript: end.transcript,
  callback_at: end.callbackAt,
});
