import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { call, type Answer } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { sessionQuery, useMay, type Role } from '../../session/session.ts';
import { Button, CopyCurl, RowActions } from '../../ui/controls.tsx';
import { formatCode, Time } from '../../ui/format.tsx';
import { Badge, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { Invitations } from './invitations.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { t, within } from '../../words/words.ts';

type Member = Answer<'listMembers'>['members'][number];
export const ROLES: readonly Role[] = ['owner', 'manager', 'viewer'];

export function MembersPage(): ReactNode {
  const isOwner = useMay('owner');
  const session = useQuery(sessionQuery);
  const list = useRead('listMembers', {});
  const [leaving, setLeaving] = useState<Member | null>(null);
  const [helped, setHelped] = useState<Member | null>(null);
  const self = session.data?.user.id;
  const change = useChange('changeRole', ['listMembers', 'getSession'], (input) => {
    const member = list.data?.members.find(({ user_id: id }) => id === input.user_id);
    return {
      text: t('{email} is now {role}.', {
        email: member?.email ?? t('The member'),
        role: within(formatCode(input.role)),
      }),
      // Who gave up a role of their own may not take it back.
      undo:
        member === undefined || member.user_id === self
          ? undefined
          : () => call('changeRole', { ...input, role: member.role }),
    };
  });
  const roleOf = (member: Member): ReactNode =>
    isOwner ? (
      <RowActions>
        <select
          aria-label={t('Role of {email}', { email: member.email })}
          className="min-h-9 rounded-md border border-line bg-surface max-sm:min-h-control px-2 py-1 text-ink"
          value={member.role}
          onChange={(event) => change.mutate({ user_id: member.user_id, role: event.target.value as Role })}
        >
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {formatCode(role)}
            </option>
          ))}
        </select>
        <CopyCurl
          operation="changeRole"
          input={{ user_id: member.user_id, role: member.role }}
          of={t('role of {email}', { email: member.email })}
        />
      </RowActions>
    ) : (
      formatCode(member.role)
    );
  const actionsOf = (member: Member): ReactNode => (
    <RowActions>
      <Button onClick={() => setHelped(member)}>{t('Help to sign in')}</Button>
      <Button onClick={() => setLeaving(member)}>{t('Remove')}</Button>
    </RowActions>
  );
  const columns: readonly Column<Member>[] = [
    {
      title: 'Email',
      cell: (member) => (
        <span className="flex items-center gap-2">
          {member.email}
          {member.user_id === self ? <Badge>{t('You')}</Badge> : null}
        </span>
      ),
    },
    {
      title: 'Role',
      cell: roleOf,
    },
    {
      title: 'Two-step sign-in',
      cell: (member) => (member.two_step ? <Badge tone="good">{t('On')}</Badge> : t('Off')),
    },
    { title: 'Member since', cell: (member) => <Time iso={member.created_at} isBrief /> },
    ...(isOwner
      ? [
          {
            title: 'Action',
            cell: actionsOf,
          },
        ]
      : []),
  ];
  /** A member on a phone: the address, how they sign in and since when; owners change the role below. */
  const phoneRow = (member: Member): PhoneRow => ({
    title: member.email,
    state: member.user_id === self ? <Badge>{t('You')}</Badge> : null,
    detail: [
      ...(isOwner ? [] : [formatCode(member.role)]),
      `${t('Two-step sign-in')}: ${member.two_step ? t('On') : t('Off')}`,
    ].join(' · '),
    time: <Time iso={member.created_at} isBrief />,
    actions: isOwner ? (
      <div className="flex flex-wrap gap-2">
        {roleOf(member)}
        {actionsOf(member)}
      </div>
    ) : null,
  });
  return (
    <Page
      title={t('Members')}
      intro={t(
        'Viewers see everything and change nothing. Managers change assistants and campaigns and place calls. Owners also manage members, keys and child workspaces. Roles hold in child workspaces, too.',
      )}
    >
      {change.isError ? <ErrorNote error={change.error} /> : null}
      {list.isPending ? (
        <Loading shape="table" />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.data.members.length === 0 ? (
        <p className="text-muted">
          {t('The members of the parent workspace manage this one. Nobody is a member of it alone.')}
        </p>
      ) : (
        <Table
          caption={t('Members')}
          columns={columns}
          rows={list.data.members}
          keyOf={(member) => member.user_id}
          phone={phoneRow}
          isList={false}
        />
      )}
      {isOwner ? <Invitations /> : null}
      {helped === null ? null : (
        <HelpDialog
          userId={helped.user_id}
          email={helped.email}
          hasTwoStep={helped.two_step}
          onClose={() => setHelped(null)}
        />
      )}
      {leaving === null ? null : (
        <RemoveDialog userId={leaving.user_id} email={leaving.email} onClose={() => setLeaving(null)} />
      )}
    </Page>
  );
}
