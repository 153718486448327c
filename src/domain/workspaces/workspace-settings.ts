import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { dropSetting, mergeSettings, readSettings } from '../../store/tenants/settings.ts';
import { errors } from '../../errors.ts';
import type { Caller } from './authenticate-key.ts';
import { closedList } from './home-destinations.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

/** What the owner of a workspace sets for all of its agents. */
export interface WorkspaceSettings {
  /** Calls and chats that lack a variable, or name an unknown one, are refused. */
  readonly strictVariables: boolean;
  /** The only destinations of calls and transfers; null: those that the operator allows. */
  readonly onlyDestinations: readonly string[] | null;
  /** What the owner has opened beside the countries of the workspace's numbers. */
  readonly openDestinations: readonly string[] | 'all';
  /** The pause of the anomaly stop; null: outbound calls run. */
  readonly outboundPaused: { readonly at: string; readonly reason: 'attempts' | 'spend' } | null;
}

export async function readWorkspaceSettings(
  deps: { db: Db },
  workspaceId: string,
): Promise<WorkspaceSettings> {
  const settings = await readSettings(deps.db, workspaceId);
  const { open_destinations: opened, outbound_paused: paused } = settings as {
    open_destinations?: string[] | 'all';
    outbound_paused?: WorkspaceSettings['outboundPaused'];
  };
  return {
    strictVariables: settings['strict_variables'] === true,
    onlyDestinations: closedList(settings),
    openDestinations: opened ?? [],
    outboundPaused: paused ?? null,
  };
}

/**
 * Changes the given settings. Throws 403 for a key that opens destinations: a leaked key must not dial where its owner never
 * wanted to.
 */
export async function changeWorkspaceSettings(
  deps: { db: Db; clock: Clock },
  { workspaceId, actor }: Pick<Caller, 'workspaceId' | 'actor'>,
  change: ChangeEntry | null,
  settings: {
    readonly strict_variables?: boolean;
    readonly open_destinations?: readonly string[] | 'all';
    /** Lifts the anomaly stop. */
    readonly outbound_paused?: null;
  },
): Promise<WorkspaceSettings> {
  const { outbound_paused: lift, ...merged } = settings;
  const [guarded] = (['open_destinations', 'outbound_paused'] as const).filter(
    (key) => settings[key] !== undefined,
  );
  if (guarded !== undefined && actor.type !== 'user') throw errors.signedInOwnersOnly(guarded);
  return commitChange(deps.db, change, async (tx) => {
    const at = new Date(deps.clock.now());
    const lifted = lift === null ? { outbound_lifted_at: at.toISOString() } : {};
    await mergeSettings(tx, workspaceId, { ...merged, ...lifted }, at);
    if (lift === null) await dropSetting(tx, workspaceId, 'outbound_paused');
    return readWorkspaceSettings({ db: tx }, workspaceId);
  });
}
