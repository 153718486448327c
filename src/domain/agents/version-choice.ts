import { createHash } from 'node:crypto';
import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import { findVersion, type AgentRow, type VersionRow } from '../../store/agents/agents.ts';
import { listLiveVersions } from '../../store/agents/versions.ts';
import type { Db } from '../../store/database.ts';

/** Percent: shares are whole numbers. */
const ALL_TRAFFIC = 100;

/**
 * Assigns a call to one of several live versions by a hash of its id, so that the same call always gets the same
 * version. `versions` have a fixed order and traffic that sums to 100. Returns null for an empty list. Pure.
 */
export function splitCall<V extends { callTraffic: number }>(
  versions: readonly V[],
  callId: string,
): V | null {
  let point = createHash('sha256').update(callId).digest().readUInt32BE(0) % ALL_TRAFFIC;
  for (const version of versions) {
    if (point < version.callTraffic) return version;
    point -= version.callTraffic;
  }
  return versions.at(-1) ?? null;
}

/** The version of a call: the requested one, the one that a running A/B test assigns, or the active one. Throws 404. */
export async function versionForCall(
  db: Db,
  workspaceId: string,
  agent: Pick<AgentRow, 'id' | 'activeVersionId' | 'abStartedAt'>,
  callId: string,
  requested: string | null,
): Promise<VersionRow> {
  let version: VersionRow | null | undefined;
  if (requested !== null) {
    version = isUuid(requested) ? await findVersion(db, workspaceId, agent.id, requested) : undefined;
  } else if (agent.abStartedAt === null) {
    version = await findVersion(db, workspaceId, agent.id, agent.activeVersionId);
  } else version = splitCall(await listLiveVersions(db, workspaceId, agent.id), callId);
  if (version == null) throw errors.versionNotFound();
  return version;
}

/**
 * The version that an edit changes: the named one; else the active one, or during an A/B test the live version that
 * was changed last (interface, PATCH /agent/v1). Throws 404.
 */
export async function versionToEdit(
  db: Db,
  workspaceId: string,
  agent: AgentRow,
  requested: string | null,
): Promise<VersionRow> {
  const versionId = requested ?? agent.activeVersionId;
  let version: VersionRow | undefined;
  if (requested === null && agent.abStartedAt !== null) {
    const live = await listLiveVersions(db, workspaceId, agent.id);
    version = live.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())[0];
  } else if (isUuid(versionId)) version = await findVersion(db, workspaceId, agent.id, versionId);
  if (version === undefined) throw errors.versionNotFound();
  return version;
}
