import { t } from '../words/words.ts';
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
    ? t('You are no longer a member of {name}.', { name: was.name })
    : t('Your role in {name} is now {role}.', { name: is.name, role: t(is.role) });
}
