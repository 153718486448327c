import type { VersionConfig } from '../../../store/json/agent-version.ts';
import type { Flow } from '../../../voice/flow/document.ts';

/** The flow of a version, for its conversations: `{}` where the prompt leads. It was checked when it was stored. */
export const flowOf = ({
  flow,
  callConfig,
}: Pick<VersionConfig, 'flow' | 'callConfig'>): { flow?: { document: Flow; zone: string } } =>
  flow == null ? {} : { flow: { document: flow as unknown as Flow, zone: callConfig.callTime.timezone } };
