import type { FlowDocument, VersionConfig } from '../../../store/json/agent-version.ts';
import { nodesOf, type Flow } from '../../../voice/flow/document.ts';
import { handoffFlow } from '../../../voice/flow/handoffs.ts';

/** A stored document, which was checked when it was stored. */
const checked = (document: FlowDocument): Flow => document as unknown as Flow;

type Leads = Pick<VersionConfig, 'flow' | 'handoffs'>;

/**
 * The flow of a version, for its conversations: `{}` where the prompt leads alone. `isPrompt`: the prompt leads, and may hand
 * over.
 */
export function flowOf({ flow, handoffs = [], callConfig }: Leads & Pick<VersionConfig, 'callConfig'>): {
  flow?: { document: Flow; zone: string; isPrompt?: true };
} {
  const zone = callConfig.callTime.timezone;
  if (flow != null) return { flow: { document: checked(flow), zone } };
  if (handoffs.length === 0) return {};
  const document = handoffFlow(handoffs.map(({ agentId: agent_id, ...rest }) => ({ agent_id, ...rest })));
  return { flow: { document, zone, isPrompt: true } };
}

/** Whether the conversations of a version may be handed over to another agent. */
export const handsOver = ({ flow, handoffs = [] }: Leads): boolean =>
  flow == null ? handoffs.length > 0 : nodesOf(checked(flow)).some(({ type }) => type === 'handoff');
