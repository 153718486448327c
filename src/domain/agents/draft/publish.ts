import { errors } from '../../../errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import { isUuid, newId } from '../../../shared/ids.ts';
import { findVersion, lockAgent, updateAgent, type AgentRow } from '../../../store/agents/agents.ts';
import { closeDraft, countVersions, unlistOldVersions } from '../../../store/agents/drafts.ts';
import { insertVersion, setTraffic } from '../../../store/agents/versions.ts';
import type { Db, Tx } from '../../../store/database.ts';
import type { VersionConfig } from '../../../store/json/agent-version.ts';
import { declaredSettings } from '../../../store/json/workspace-settings.ts';
import { lastComparison } from '../../../store/rehearsals/rehearsals.ts';
import { readSettings } from '../../../store/tenants/settings.ts';
import { commitChange, type ChangeEntry } from '../../audit/change-entry.ts';
import { MAX_VERSIONS } from '../edit/edit-versions.ts';
import { activeTag, draftOf, shownDifference, versionTag, type Draft } from './open-draft.ts';

/** Fewer calls do not show that a draft is not worse. */
const REHEARSED_CALLS = 100;
/** Percent. */
const ALL_TRAFFIC = 100;

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
}

export interface Publication {
  readonly note: string;
  readonly author: string;
}

export interface PublishedVersion {
  readonly id: string;
  readonly slug: string;
}

/**
 * Makes the draft a new version, which takes every new call, and ends a running A/B test. Throws 404, and 409 with the
 * difference on both sides when the draft is not as `ifDraft` names it, or the active version is neither the one that
 * the draft copied nor as `ifLive` names it, or when the workspace wants a rehearsal that the draft lacks; then nothing changes.
 */
export async function publishDraft(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  agentId: string,
  input: Publication & { readonly ifDraft: string | null; readonly ifLive: string | null },
): Promise<PublishedVersion> {
  return changeAgent(deps, workspaceId, change, agentId, async (tx, agent, at) => {
    const open = await draftOf(tx, workspaceId, agent);
    if (open === null) throw input.ifDraft === null ? errors.draftNotFound() : errors.draftClosed();
    if (input.ifDraft !== null && input.ifDraft !== open.tag) throw errors.draftMoved(shownDifference(open));
    const { draft } = open;
    const seen = input.ifLive ?? versionTag(draft.baseVersionId, draft.baseConfig);
    if (seen !== open.liveTag) throw errors.versionMoved(shownDifference(open));
    await checkRehearsed(tx, workspaceId, agent.id, open);
    await closeDraft(tx, workspaceId, draft.id, at);
    return goLive(tx, workspaceId, agent, draft.config, input, at);
  });
}

/**
 * Makes a new version that equals an old one and takes every new call; the draft stays. Ends a running A/B test. Throws
 * 404, and 409 when the active version is not as `ifLive` names it, unless that is null.
 */
export async function rollBack(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  agentId: string,
  input: Publication & { readonly versionId: string; readonly ifLive: string | null },
): Promise<PublishedVersion> {
  return changeAgent(deps, workspaceId, change, agentId, async (tx, agent, at) => {
    const old = isUuid(input.versionId)
      ? await findVersion(tx, workspaceId, agent.id, input.versionId)
      : undefined;
    if (old === undefined || old.draft !== null) throw errors.versionNotFound();
    const liveTag = await activeTag(tx, workspaceId, agent);
    if (input.ifLive !== null && input.ifLive !== liveTag) throw errors.activeMoved(liveTag);
    const note = input.note === '' ? `Back to ${old.slug}` : input.note;
    return goLive(tx, workspaceId, agent, old.config, { ...input, note }, at);
  });
}

/** Throws 409 where the workspace wants a rehearsal that shows the draft not worse, and the last one of both does not. */
async function checkRehearsed(tx: Tx, workspaceId: string, agentId: string, open: Draft): Promise<void> {
  if (!declaredSettings(await readSettings(tx, workspaceId)).rehearsesDrafts) return;
  const { tag, liveTag } = open;
  const comparison = await lastComparison(tx, workspaceId, { agentId, tag, liveTag, calls: REHEARSED_CALLS });
  if (comparison === null) throw errors.draftNotRehearsed();
  if (comparison.isWorse) throw errors.draftIsWorse(comparison.reasons);
}

/** Runs `work` with the agent locked. */
async function changeAgent<T>(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  agentId: string,
  work: (tx: Tx, agent: AgentRow, at: Date) => Promise<T>,
): Promise<T> {
  if (!isUuid(agentId)) throw errors.agentNotFound();
  return commitChange(deps.db, change, async (tx) => {
    const agent = await lockAgent(tx, workspaceId, agentId);
    if (agent === undefined) throw errors.agentNotFound();
    return work(tx, agent, new Date(deps.clock.now()));
  });
}

async function goLive(
  tx: Tx,
  workspaceId: string,
  agent: AgentRow,
  config: VersionConfig,
  { note, author }: Publication,
  at: Date,
): Promise<PublishedVersion> {
  const slug = `v${(await countVersions(tx, workspaceId, agent.id)) + 1}`;
  const version = { id: newId(), slug, description: note, config, author };
  await insertVersion(tx, workspaceId, agent.id, version, at);
  await setTraffic(tx, workspaceId, agent.id, {
    active: version.id,
    abStartedAt: null,
    shares: [{ versionId: version.id, callTraffic: ALL_TRAFFIC }],
  });
  await unlistOldVersions(tx, workspaceId, agent.id, MAX_VERSIONS);
  await updateAgent(tx, workspaceId, agent.id, {}, at);
  return { id: version.id, slug };
}
