import { createHash } from 'node:crypto';
import { errors } from '../../errors.ts';
import { isUuid } from '../../shared/ids.ts';
import { findVersion, type AgentRow, type VersionRow } from '../../store/agents.ts';
import { listLiveVersions } from '../../store/agent-versions.ts';
import type { Db } from '../../store/database.ts';

/** Shares are whole hundredths, as many as the finest split needs. */
const WHOLE = 100;

/**
 * The version a call goes to when several are live: its id decides, so that the same call always gets the same one.
 * `versions` come in a fixed order and their traffic sums to 100; null for an empty list. Pure.
 */
export function splitCall<V extends { call_traffic: number }>(
  versions: readonly V[],
  callId: string,
): V | null {
  let point = createHash('sha256').update(callId).digest().readUInt32BE(0) % WHOLE;
  for (const version of versions) {
    if (point < version.call_traffic) return version;
    point -= version.call_traffic;
  }
  return versions.at(-1) ?? null;
}

/** The version a call uses: the one asked for, its share of a running test, or the active one. Throws 404. */
export async function versionForCall(
  db: Db,
  workspaceId: string,
  agent: Pick<AgentRow, 'id' | 'active_version_id' | 'ab_started_at'>,
  callId: string,
  wanted: string | null,
): Promise<VersionRow> {
  let version: VersionRow | null | undefined;
  if (wanted !== null) {
    version = isUuid(wanted) ? await findVersion(db, workspaceId, agent.id, wanted) : undefined;
  } else if (agent.ab_started_at === null) {
    version = await findVersion(db, workspaceId, agent.id, agent.active_version_id);
  } else version = splitCall(await listLiveVersions(db, workspaceId, agent.id), callId);
  if (version == null) throw errors.versionNotFound();
  return version;
}

/**
 * The version an edit changes: the one named; without a name the active one, or while a test runs the live one that
 * was changed last (interface, PATCH /agent/v1). Throws 404.
 */
export async function versionToEdit(
  db: Db,
  workspaceId: string,
  agent: AgentRow,
  wanted: string | null,
): Promise<VersionRow> {
  const versionId = wanted ?? agent.active_version_id;
  let version: VersionRow | undefined;
  if (wanted === null && agent.ab_started_at !== null) {
    const live = await listLiveVersions(db, workspaceId, agent.id);
    version = live.toSorted((a, b) => b.updated_at.getTime() - a.updated_at.getTime())[0];
  } else if (isUuid(versionId)) version = await findVersion(db, workspaceId, agent.id, versionId);
  if (version === undefined) throw errors.versionNotFound();
  return version;
}
