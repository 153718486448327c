import type { Account } from './session.ts';

/** What changed for the user in a workspace from one reading of the session to the next; null: nothing. */
export function roleChange(
  before: Pick<Account, 'workspaces'>,
  now: Pick<Account, 'workspaces'>,
  workspaceId: string | null,
): string | null {
  const was = before.workspaces.find(({ id }) => id === workspaceId);
  const is = now.workspaces.find(({ id }) => id === workspaceId);
  if (was === undefined || was.role === is?.role) return null;
  return is === undefined
    ? `You are no longer a member of ${was.name}.`
    : `Your role in ${is.name} is now ${is.role}.`;
}
