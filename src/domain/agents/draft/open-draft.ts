import { errors } from '../../../errors.ts';
import type { MovedDraft } from '../../../errors/drafts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { isUuid, newId, sha256 } from '../../../shared/ids.ts';
import { findAgent, findVersion, lockAgent, type AgentRow } from '../../../store/agents/agents.ts';
import { closeDraft, findDraft, insertDraft, type DraftRow } from '../../../store/agents/drafts.ts';
import type { Db } from '../../../store/database.ts';
import type { VersionConfig } from '../../../store/json/agent-version.ts';
import { commitChange, type ChangeEntry } from '../../audit/change-entry.ts';
import { conflictsOf, differenceOf, type Change } from './difference.ts';
import { shownConfig } from './shown-config.ts';

/** The open draft of an agent beside the active version. */
export interface Draft {
  readonly draft: DraftRow;
  readonly agent: AgentRow;
  /** Names this state of the draft. */
  readonly tag: string;
  /** Names this state of the active version. */
  readonly liveTag: string;
  readonly difference: DraftDifference;
}

/** What changed on both sides since the draft copied the active version. */
export interface DraftDifference {
  readonly draft: readonly Change[];
  /** Empty: the active version has not moved. */
  readonly live: readonly Change[];
  /** Paths of the draft's changes that the active version changed as well. */
  readonly conflicts: readonly string[];
}

/** Names the content of a version: edits of a version keep its id. */
export const versionTag = (versionId: string, config: VersionConfig): string =>
  sha256(`${versionId} ${JSON.stringify(config)}`).slice(0, 16);

/** Names the state of the agent's active version. */
export async function activeTag(db: Db, workspaceId: string, agent: AgentRow): Promise<string> {
  const live = await findVersion(db, workspaceId, agent.id, agent.activeVersionId);
  if (live === undefined) throw errors.versionNotFound();
  return versionTag(live.id, live.config);
}

/** Copies the active version into a draft; a draft that is open stays. Throws 404. */
export async function openDraft(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  agentId: string,
  author: string,
): Promise<Draft> {
  if (!isUuid(agentId)) throw errors.agentNotFound();
  return commitChange(deps.db, change, async (tx) => {
    const agent = await lockAgent(tx, workspaceId, agentId);
    if (agent === undefined) throw errors.agentNotFound();
    const open = await draftOf(tx, workspaceId, agent);
    if (open !== null) return open;
    const copy = { id: newId(), baseVersionId: agent.activeVersionId, author };
    await insertDraft(tx, workspaceId, agent.id, copy, new Date(deps.clock.now()));
    return (await draftOf(tx, workspaceId, agent))!;
  });
}

/** Throws 404 for an unknown agent, and for one without an open draft. */
export async function readDraft(db: Db, workspaceId: string, agentId: string): Promise<Draft> {
  const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  const open = await draftOf(db, workspaceId, agent);
  if (open === null) throw errors.draftNotFound();
  return open;
}

/** Closes the draft without a change of the agent. Throws 404, and 409 for a draft that is not as `ifDraft` names it. */
export async function discardDraft(
  deps: { db: Db; clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  agentId: string,
  ifDraft: string | null,
): Promise<string> {
  if (!isUuid(agentId)) throw errors.agentNotFound();
  return commitChange(deps.db, change, async (tx) => {
    const agent = await lockAgent(tx, workspaceId, agentId);
    if (agent === undefined) throw errors.agentNotFound();
    const open = await draftOf(tx, workspaceId, agent);
    if (open === null) throw errors.draftNotFound();
    if (ifDraft !== null && ifDraft !== open.tag) throw errors.draftMoved(shownDifference(open));
    await closeDraft(tx, workspaceId, open.draft.id, new Date(deps.clock.now()));
    return open.draft.id;
  });
}

/** Null: the agent has no open draft. */
export async function draftOf(db: Db, workspaceId: string, agent: AgentRow): Promise<Draft | null> {
  const draft = await findDraft(db, workspaceId, agent.id);
  if (draft === undefined) return null;
  const live = await findVersion(db, workspaceId, agent.id, agent.activeVersionId);
  if (live === undefined) throw errors.versionNotFound();
  const [base, now] = [shownConfig(draft.baseConfig), shownConfig(live.config)];
  const [ours, theirs] = [differenceOf(base, shownConfig(draft.config)), differenceOf(base, now)];
  return {
    draft,
    agent,
    tag: versionTag(draft.id, draft.config),
    liveTag: versionTag(live.id, live.config),
    difference: { draft: ours, live: theirs, conflicts: conflictsOf(theirs, ours) },
  };
}

/** What a refusal shows: both tags, and the difference on both sides. */
export const shownDifference = ({ tag, liveTag, difference }: Draft): MovedDraft => ({
  tag,
  liveTag,
  difference,
});
