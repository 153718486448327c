import type { VersionConfig } from '../../../store/json/agent-version.ts';
import { nodesOf, type Flow } from '../../../voice/flow/document.ts';

/** The flow of a version, for its conversations: `{}` where the prompt leads. It was checked when it was stored. */
export const flowOf = ({
  flow,
  callConfig,
}: Pick<VersionConfig, 'flow' | 'callConfig'>): { flow?: { document: Flow; zone: string } } =>
  flow == null ? {} : { flow: { document: flow as unknown as Flow, zone: callConfig.callTime.timezone } };

/** Whether the flow of a version may hand its conversation over to another agent. */
export const handsOver = ({ flow }: Pick<VersionConfig, 'flow'>): boolean =>
  flow != null && nodesOf(flow as unknown as Flow).some(({ type }) => type === 'handoff');
