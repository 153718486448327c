import type { Answer } from '../../api/client.ts';

export type Agent = Answer<'getAgent'>['agents'];
export type Version = Agent['version_details'][string];
/** What every editor of a version needs. */
export interface VersionProps {
  readonly agentId: string;
  readonly version: Version;
  readonly mayEdit: boolean;
}
