import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sessionQuery } from '../session/session.ts';
import { chooseWorkspace, useWorkspaceId } from '../session/workspace.ts';
import { t } from '../words/words.ts';

/** The name of the workspace that is open, and the choice of another for members of several. */
export function WorkspaceSwitcher(): ReactNode {
  const { data } = useQuery(sessionQuery);
  const current = useWorkspaceId();
  const navigate = useNavigate();
  const workspaces = data?.workspaces ?? [];
  const [only] = workspaces;
  if (only === undefined)
    return <p className="px-2 text-sm text-muted">{t('You are a member of no workspace.')}</p>;
  if (workspaces.length === 1)
    return <p className="shrink-0 truncate px-2 text-sm text-muted">{only.name}</p>;
  return (
    <div>
      <label htmlFor="workspace" className="sr-only">
        {t('Workspace')}
      </label>
      <select
        id="workspace"
        value={current ?? ''}
        className="min-h-control w-full rounded-md border border-line bg-surface px-2 text-sm font-medium text-ink"
        onChange={(event) => {
          chooseWorkspace(event.target.value);
          // What is open belongs to the workspace that is left; the browser keeps what was typed.
          void navigate({ to: '/', ignoreBlocker: true });
        }}
      >
        {workspaces.map(({ id, name, parent_workspace_id: parent }) => (
          <option key={id} value={id}>
            {parent === null ? name : `– ${name}`}
          </option>
        ))}
      </select>
    </div>
  );
}
