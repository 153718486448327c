import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { roleChange } from '../session/role-change.ts';
import { sessionQuery } from '../session/session.ts';
import { useWorkspaceId } from '../session/workspace.ts';
import { notify } from '../ui/toasts.ts';

/** Says when somebody changed the role of the user; the page follows the session by itself. */
export function useRoleNotice(): void {
  const { data } = useQuery(sessionQuery);
  const workspace = useWorkspaceId();
  const before = useRef({ account: data, workspace });
  useEffect(() => {
    const { account, workspace: was } = before.current;
    before.current = { account: data, workspace };
    if (!account || !data || account.user.id !== data.user.id) return;
    const text = roleChange(account, data, was);
    // After the messages of a workspace that is left are removed.
    if (text !== null) setTimeout(() => notify({ text, tone: 'bad' }));
  }, [data, workspace]);
}
