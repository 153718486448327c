import type { Answer, Input } from '../../api/client.ts';

export type Agent = Answer<'getAgent'>['agents'];
export type Version = Agent['version_details'][string];
export type Draft = Answer<'getDraft'>['draft'];

/** What every editor of a version needs. */
export interface VersionProps {
  readonly agentId: string;
  readonly version: Version;
  readonly mayEdit: boolean;
}

type WithoutIds<E> = E extends unknown ? Omit<E, 'agent_id' | 'version_id'> : never;
/** One operation of `editAgent` with its fields. */
export type Edit = WithoutIds<Input<'editAgent'>>;

/** The edit as the request for one version. */
export const editInput = (
  { agentId, version }: Pick<VersionProps, 'agentId' | 'version'>,
  edit: Edit,
): Input<'editAgent'> => ({ ...edit, agent_id: agentId, version_id: version.version_id });
