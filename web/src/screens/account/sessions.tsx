import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { Button, CopyCurl, RowActions } from '../../ui/controls.tsx';
import { Time } from '../../ui/format.tsx';
import { Badge, Card, ErrorNote, Loading } from '../../ui/page.tsx';
import { browserName } from './browser-name.ts';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';

type Session = Answer<'listSessions'>['sessions'][number];

/** Where the user is signed in; every session but this one can be ended. */
export function Sessions(): ReactNode {
  const list = useRead('listSessions', {});
  const revoke = useChange('revokeSession', ['listSessions'], () => t('The session is ended.'));
  const revokeOthers = useChange('revokeOtherSessions', ['listSessions'], () =>
    t('Every other session is ended.'),
  );
  const actionsOf = (session: Session): ReactNode =>
    session.current ? null : (
      <RowActions>
        <Button
          busy={revoke.isPending && revoke.variables.session_id === session.id}
          onClick={() => revoke.mutate({ session_id: session.id })}
        >
          {t('End')}
        </Button>
        <CopyCurl
          operation="revokeSession"
          input={{ session_id: session.id }}
          of={t('the end of {userAgent}', { userAgent: browserName(session.user_agent) })}
        />
      </RowActions>
    );
  const columns: readonly Column<Session>[] = [
    {
      title: 'Browser',
      cell: (session) => (
        <span className="flex items-center gap-2 whitespace-nowrap">
          <span title={session.user_agent}>{browserName(session.user_agent)}</span>
          {session.current ? <Badge tone="good">{t('This one')}</Badge> : null}
        </span>
      ),
    },
    { title: 'Address', cell: (session) => session.address },
    { title: 'Last used', cell: (session) => <Time iso={session.last_used_at} isBrief /> },
    { title: 'Signed in', cell: (session) => <Time iso={session.created_at} isBrief /> },
    {
      title: 'Action',
      cell: actionsOf,
    },
  ];
  /** A session on a phone: its browser, from which address, when it was used last and since when it is signed in. */
  const phoneRow = (session: Session): PhoneRow => ({
    title: browserName(session.user_agent),
    state: session.current ? <Badge tone="good">{t('This one')}</Badge> : null,
    detail: session.address,
    time: <Time iso={session.last_used_at} isBrief />,
    actions: (
      <span className="flex items-center justify-between gap-3 text-xs text-muted">
        <span>{rich('Signed in {time}', { time: <Time iso={session.created_at} isBrief /> })}</span>
        {actionsOf(session)}
      </span>
    ),
  });
  const error = revoke.error ?? revokeOthers.error;
  return (
    <Card
      title={t('Sessions')}
      isFlush
      aside={
        (list.data?.sessions.length ?? 0) > 1 ? (
          <Button busy={revokeOthers.isPending} onClick={() => revokeOthers.mutate({})}>
            {t('End all others')}
          </Button>
        ) : null
      }
    >
      {error === null ? null : <ErrorNote error={error} />}
      {list.isPending ? (
        <Loading />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : (
        <Table
          caption={t('Sessions')}
          isBare
          columns={columns}
          rows={list.data.sessions}
          keyOf={(session) => session.id}
          phone={phoneRow}
          isList={false}
        />
      )}
    </Card>
  );
}
