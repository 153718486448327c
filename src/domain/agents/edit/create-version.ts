import { errors } from '../../../errors.ts';
import { newId } from '../../../shared/ids.ts';
import { insertVersion } from '../../../store/agent-versions.ts';
import { listVersions } from '../../../store/agents.ts';
import type { EditChange, EditContext } from './edit-context.ts';

export interface CreateVersion {
  description?: string;
}
const MAX_VERSIONS = 50;

/** Copies the version into a new one, which takes no calls until it is activated or part of an A/B test. */
export async function createVersion(
  { tx, workspaceId, agent, config, at }: EditContext,
  input: CreateVersion,
): Promise<EditChange> {
  const versions = await listVersions(tx, workspaceId, agent.id);
  if (versions.length >= MAX_VERSIONS) throw errors.tooManyVersions(MAX_VERSIONS);
  const id = newId();
  const version = {
    id,
    slug: `v${versions.length + 1}`,
    description: input.description ?? '',
    config,
  };
  await insertVersion(tx, workspaceId, agent.id, version, at);
  return { createdVersionId: id };
}
