import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiFailure, call, keepSession, setCsrfToken, type Answer } from '../api/client.ts';
import { noteSignedIn, noteSignedOut } from '../api/connection.ts';
import { queryClient } from '../api/queries.ts';
import { chooseWorkspace, useWorkspaceId, workspaceId } from './workspace.ts';

export type Account = Answer<'getSession'>;
export type Workspace = Account['workspaces'][number];
export type Role = Workspace['role'];

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: 60_000,
  // The page cannot begin without it, and says so instead of waiting.
  networkMode: 'always',
  retry: 1,
});

const known = (): Account | null | undefined => queryClient.getQueryData(sessionQuery.queryKey);

/**
 * The signed-in user; null: none. Chooses a workspace that the user may open. A session that ends under an open page
 * leaves the page as it is: the sheet of the shell asks for the password.
 */
async function readSession(): Promise<Account | null> {
  try {
    const account = await call('getSession', {});
    setCsrfToken(account.csrf_token);
    const isOpen = account.workspaces.some(({ id }) => id === workspaceId());
    if (!isOpen) chooseWorkspace(account.workspaces[0]?.id ?? null);
    return account;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error;
    const before = known() ?? null;
    if (before !== null) noteSignedOut();
    return before;
  }
}

const readAgain = (): Promise<Account | null> =>
  queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false });

/** Reads the session anew, after signing in on a page of its own. */
export async function enter(): Promise<void> {
  queryClient.clear();
  noteSignedIn();
  await readAgain();
  otherTabs?.postMessage('signed in');
}

/** Whether the session works again and belongs to the same person; another person starts with an empty page. */
export async function comeBack(): Promise<'same' | 'another' | 'signed out'> {
  const before = known();
  const account = await call('getSession', {}).catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status === 401) return null;
    throw error;
  });
  if (account === null) return 'signed out';
  const isSame = before?.user.id === account.user.id;
  if (!isSame) queryClient.clear();
  await readAgain();
  noteSignedIn();
  otherTabs?.postMessage('signed in');
  return isSame ? 'same' : 'another';
}

/** Forgets what was read, after signing out. */
export function leave(): void {
  setCsrfToken('');
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

const otherTabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('session') : null;
/** Runs when another tab has signed in. */
export function whenOtherTabSignsIn(run: () => void): () => void {
  otherTabs?.addEventListener('message', run);
  return () => otherTabs?.removeEventListener('message', run);
}

/** Lets the requests of the page report what they learn about the session. */
export function watchSession(): void {
  keepSession({
    ended: () => {
      if ((known() ?? null) !== null) noteSignedOut();
    },
    changed: () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    renewed: async () => {
      const csrf = known()?.csrf_token ?? '';
      const account = await readAgain().catch(() => null);
      return account !== null && account.csrf_token !== csrf;
    },
  });
}

/** The workspace that is open, with the user's role; null without a membership. */
export function useWorkspace(): Workspace | null {
  const { data } = useQuery(sessionQuery);
  const id = useWorkspaceId();
  return data?.workspaces.find((workspace) => workspace.id === id) ?? null;
}

const STRENGTH: readonly Role[] = ['viewer', 'manager', 'owner'];
/** What a screen or action needs: a role in the workspace, or an operator of the installation. */
export type Need = Role | 'operator';

/** Whether the user may do what needs `need`. The server decides; this only hides what it would refuse. */
export function useMay(need: Need): boolean {
  return useMays()[need];
}

/** As `useMay`, for every need. */
export function useMays(): Readonly<Record<Need, boolean>> {
  const { data } = useQuery(sessionQuery);
  const workspace = useWorkspace();
  const strength = workspace === null ? -1 : STRENGTH.indexOf(workspace.role);
  return {
    viewer: strength >= 0,
    manager: strength >= 1,
    owner: strength >= 2,
    operator: data?.user.operator === true,
  };
}
