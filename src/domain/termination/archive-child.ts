import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import {
  closeWorkspace,
  countLiveCalls,
  openWork,
  reopenWorkspace,
  returnNumbers,
} from '../../store/tenants/archiving.ts';
import { mergeSettings } from '../../store/tenants/settings.ts';
import { moveCredits } from '../../store/tenants/sub-workspaces.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { stopQueued } from '../calls/stop-queued.ts';
import { terminateCampaign } from '../campaigns/terminate-campaign.ts';
import { anyChildOf, family, readOne, type SubWorkspace } from '../workspaces/sub-workspaces.ts';

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
}

/**
 * Archives a child: its key and sessions end, new calls and chats are refused, waiting calls and campaigns end, and its
 * numbers, concurrency and free credits return to the parent. Each step may be repeated: a request that breaks off is
 * completed by the next one. Throws 403, 404, and 409 while calls are in progress.
 */
export async function archiveChild(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  childId: string,
): Promise<SubWorkspace> {
  const id = await commitChange(deps.db, change, async (tx) => {
    const { children } = await family(tx, workspaceId);
    const child = anyChildOf(children, childId);
    if (child.archivedAt !== null) return child.id;
    // Claims and inbound calls lock the workspace first, so none begins between this count and the commit.
    const live = await countLiveCalls(tx, child.id);
    if (live > 0) throw errors.workspaceHasCalls(live);
    await closeWorkspace(tx, child.id, new Date(deps.clock.now()));
    return child.id;
  });
  await endWork(deps, id);
  return deps.db.transaction().execute(async (tx) => {
    const { parent, children } = await family(tx, workspaceId);
    const child = anyChildOf(children, id);
    const at = new Date(deps.clock.now());
    await returnNumbers(tx, id, workspaceId, at);
    const free = Math.max(0, child.credits - child.lockedCredits);
    if (!parent.unlimited && free > 0) {
      await moveCredits(tx, workspaceId, [{ childId: id, amount: -free }], at);
      // The provision file grants its figure anew after a restore.
      await mergeSettings(tx, id, { provisioned_credits: 0 }, at);
    }
    return readOne(tx, workspaceId, id);
  });
}

/** Restores an archived child, without key and numbers. Throws 403 and 404. */
export async function restoreChild(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  childId: string,
): Promise<SubWorkspace> {
  const { children } = await deps.db.transaction().execute((tx) => family(tx, workspaceId));
  const { id, archivedAt } = anyChildOf(children, childId);
  // A request that was under way when the child was archived may have queued a call since.
  if (archivedAt !== null) await endWork(deps, id);
  return commitChange(deps.db, change, async (tx) => {
    await family(tx, workspaceId);
    await reopenWorkspace(tx, id, new Date(deps.clock.now()));
    return readOne(tx, workspaceId, id);
  });
}

async function endWork(deps: Deps, workspaceId: string): Promise<void> {
  const { campaigns, agents } = await openWork(deps.db, workspaceId);
  for (const id of campaigns) await terminateCampaign(deps, workspaceId, null, id);
  const end = { subStatus: 'USER_TERMINATED', withdraw: true };
  for (const agentId of agents) await stopQueued(deps, workspaceId, null, { agentId }, end);
}
