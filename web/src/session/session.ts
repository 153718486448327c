import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiFailure, call, setCsrfToken, type Answer } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { chooseWorkspace, useWorkspaceId, workspaceId } from './workspace.ts';

export type Account = Answer<'getSession'>;
export type Workspace = Account['workspaces'][number];
export type Role = Workspace['role'];

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: 60_000,
});

/** The signed-in user; null: nobody. Chooses a workspace that the user may open. */
async function readSession(): Promise<Account | null> {
  try {
    const account = await call('getSession', {});
    setCsrfToken(account.csrf_token);
    const isOpen = account.workspaces.some(({ id }) => id === workspaceId());
    if (!isOpen) chooseWorkspace(account.workspaces[0]?.id ?? null);
    return account;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return null;
    throw error;
  }
}

/** Reads the session anew, after signing in. */
export async function enter(): Promise<void> {
  queryClient.clear();
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

/** Forgets what was read, after signing out. */
export function leave(): void {
  setCsrfToken('');
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

/** The workspace that is open, with the user's role; null without a membership. */
export function useWorkspace(): Workspace | null {
  const { data } = useQuery(sessionQuery);
  const id = useWorkspaceId();
  return data?.workspaces.find((workspace) => workspace.id === id) ?? null;
}

const STRENGTH: readonly Role[] = ['viewer', 'manager', 'owner'];

/** Whether the user may do what needs `role`. The server decides; this only hides what it would refuse. */
export function useMay(role: Role): boolean {
  const workspace = useWorkspace();
  return workspace !== null && STRENGTH.indexOf(workspace.role) >= STRENGTH.indexOf(role);
}
