import { useNavigate } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { sessionQuery, useMay } from '../../session/session.ts';
import { chooseWorkspace } from '../../session/workspace.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, EmptyState, Page } from '../../ui/page.tsx';
import { Stat } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { ArchiveChild } from './archive-child.tsx';
import { CreateChild } from './create-child.tsx';
import { NumbersDialog } from './numbers-dialog.tsx';
import { ShareDialog } from './share-dialog.tsx';
import type { Child } from './types.ts';
import { t } from '../../words/words.ts';

/** Child workspaces with their shares of concurrent calls and credits. */
export function ChildWorkspacesPage(): ReactNode {
  const isOwner = useMay('owner');
  const navigate = useNavigate();
  const session = useQuery(sessionQuery);
  const list = useRead('listSubWorkspaces', {});
  const workspace = useRead('getWorkspace', {});
  const [sharing, setSharing] = useState<Child | null>(null);
  const [movingId, setMovingId] = useState<string | null>(null);
  // The open dialog follows what it moves.
  const moving = list.data?.sub_workspaces.find(({ id }) => id === movingId);
  const mine = new Set(session.data?.workspaces.map(({ id }) => id));
  const open = (child: Child): void => {
    chooseWorkspace(child.id);
    void navigate({ to: '/settings/members' });
  };
  const columns: readonly Column<Child>[] = [
    {
      title: 'Name',
      cell: (child) => (
        <span className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {child.name}
          {child.archived_at === null ? null : <Badge>{t('Archived')}</Badge>}
        </span>
      ),
    },
    { title: 'Numbers', cell: (child) => formatNumber(child.numbers.length), isNumber: true },
    { title: 'Concurrent calls', cell: (child) => formatNumber(child.concurrency), isNumber: true },
    {
      title: 'Credits',
      cell: (child) => (child.unlimited ? t('Unlimited') : formatNumber(child.credits)),
      isNumber: true,
    },
    {
      title: 'Locked by live calls',
      cell: (child) => formatNumber(child.locked_credits),
      isNumber: true,
    },
    { title: 'API key', cell: (child) => (child.has_api_key ? 'Yes' : t('None yet')) },
    { title: 'Created', cell: (child) => <Time iso={child.created_at} isBrief /> },
    {
      title: 'Action',
      cell: (child) => (
        <span className="flex flex-wrap gap-2">
          {isOwner && child.archived_at === null ? (
            <>
              <Button
                aria-label={t('Set the shares of {name}', { name: child.name })}
                onClick={() => setSharing(child)}
              >
                {t('Shares')}
              </Button>
              <Button
                aria-label={t('Move numbers of {name}', { name: child.name })}
                onClick={() => setMovingId(child.id)}
              >
                {t('Numbers')}
              </Button>
            </>
          ) : null}
          {mine.has(child.id) ? (
            <Button aria-label={t('Members of {name}', { name: child.name })} onClick={() => open(child)}>
              {t('Members')}
            </Button>
          ) : null}
          {isOwner ? <ArchiveChild child={child} /> : null}
        </span>
      ),
    },
  ];
  const info = workspace.data?.workspace_info;
  return (
    <Page
      title={t('Child workspaces')}
      intro={t(
        'Each has its own assistants, calls and key, and a share of this workspace’s concurrent calls and credits. Members of this workspace have the same role in its children.',
      )}
    >
      {info === undefined ? null : (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(11rem,100%),1fr))] gap-4">
          <Stat
            name={t('Credits of this workspace')}
            value={info.unlimited ? t('Unlimited') : formatNumber(info.credits)}
          >
            {info.unlimited ? t('Calls are not charged.') : t('What children get is taken from here.')}
          </Stat>
        </div>
      )}
      {isOwner ? <CreateChild /> : null}
      <Loaded read={list} shape="table">
        {({ sub_workspaces: children }) =>
          children.length === 0 ? (
            <EmptyState
              title={t('No child workspaces yet')}
              icon="package"
              curl={<CopyCurl operation="createSubWorkspace" input={{ name: 'Client A' }} />}
            >
              {t(
                'They separate clients or departments: calls, keys and members of one are invisible to another.',
              )}
            </EmptyState>
          ) : (
            <Table
              caption={t('Child workspaces')}
              columns={columns}
              rows={children}
              keyOf={(child) => child.id}
            />
          )
        }
      </Loaded>
      {sharing === null ? null : <ShareDialog child={sharing} onClose={() => setSharing(null)} />}
      {moving === undefined ? null : <NumbersDialog child={moving} onClose={() => setMovingId(null)} />}
    </Page>
  );
}
