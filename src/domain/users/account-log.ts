import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import { insertAudit } from '../../store/audit.ts';
import type { Db } from '../../store/database.ts';
import {
  insertAccountEntry,
  listAccountEntries,
  workspacesOfUser,
  type AccountLogRow,
} from '../../store/tenants/account-log.ts';
import { findUserById } from '../../store/tenants/users.ts';

export const ACCOUNT_ACTIONS = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'other_sessions_ended',
  'password_changed',
  'password_link_made',
  'two_step_on',
  'two_step_off',
  'invitation_accepted',
  'first_owner',
  'model_download_started',
  'model_removed',
  'trunk_saved',
  'trunk_deleted',
  'trunk_checked',
  'trunk_numbers_imported',
  'trunk_webhook_set',
  'number_saved',
  'number_removed',
] as const;
export type AccountAction = (typeof ACCOUNT_ACTIONS)[number];

const KEPT_MS = 400 * 86_400_000;
const SHOWN = 200;

/** Who acts, if not the user; `operator`: the command line. */
export interface ActedBy {
  readonly type: 'user' | 'operator';
  readonly name: string;
}

/** Adds an entry to the account's log and, as `account.<action>`, to the audit log of each of its workspaces. */
export async function noteAccount(
  deps: { readonly db: Db; readonly clock: Clock },
  userId: string,
  action: AccountAction,
  from: {
    readonly address: string | null;
    readonly by?: ActedBy;
    /** What the act was about, beside the user: ids only. */
    readonly objects?: Readonly<Record<string, string>>;
    /** Its audit log gets the entry, too, whether or not the user is a member. */
    readonly workspaceId?: string;
  },
): Promise<void> {
  const { db, clock } = deps;
  const user = await findUserById(db, userId);
  if (user === undefined) return;
  const at = new Date(clock.now());
  const entry = { id: newId(), at, action, by: from.by?.name ?? null, address: from.address };
  await insertAccountEntry(db, userId, entry, new Date(at.getTime() - KEPT_MS));
  const own = await workspacesOfUser(db, userId);
  const workspaces = new Set(from.workspaceId === undefined ? own : [...own, from.workspaceId]);
  const rows = [...workspaces].map((workspaceId) => ({
    workspaceId,
    id: newId(),
    at,
    actorType: from.by?.type ?? 'user',
    actor: from.by?.name ?? user.email,
    action: `account.${action}`,
    method: '',
    route: '',
    status: action === 'sign_in_failed' ? 401 : 200,
    objects: { user_id: userId, ...from.objects },
    requestId: entry.id,
    address: from.address,
  }));
  if (rows.length > 0) await insertAudit(db, rows);
}

/** The newest entries of the account, newest first. */
export const readAccountLog = (deps: { readonly db: Db }, userId: string): Promise<AccountLogRow[]> =>
  listAccountEntries(deps.db, userId, SHOWN);
