import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import type { Role } from '../../session/session.ts';
import { Button, CopyButton, CopyCurl, RowActions, SelectField, TextField } from '../../ui/controls.tsx';
import { formatCode, Time } from '../../ui/format.tsx';
import { Card, ErrorNote, Loading } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { t } from '../../words/words.ts';

type Invitation = Answer<'listInvitations'>['invitations'][number];

/** Invites people by a link, which the owner sends them. */
export function Invitations(): ReactNode {
  const list = useRead('listInvitations', {});
  const invite = useChange('invite', ['listInvitations']);
  const withdraw = useChange('withdrawInvitation', ['listInvitations'], () =>
    t('The invitation is withdrawn: its link works no more.'),
  );
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const columns: readonly Column<Invitation>[] = [
    { title: 'Email', cell: (invitation) => invitation.email },
    { title: 'Role', cell: (invitation) => formatCode(invitation.role) },
    { title: 'Link works until', cell: (invitation) => <Time iso={invitation.expires_at} isBrief /> },
    {
      title: 'Action',
      cell: (invitation) => (
        <RowActions>
          <Button onClick={() => withdraw.mutate({ invitation_id: invitation.id })}>{t('Withdraw')}</Button>
          <CopyCurl
            operation="withdrawInvitation"
            input={{ invitation_id: invitation.id }}
            of={t('withdrawal of {email}', { email: invitation.email })}
          />
        </RowActions>
      ),
    },
  ];
  return (
    <>
      <Card title={t('Invite a person')}>
        <form
          className="grid items-end gap-3 sm:grid-cols-[2fr_1fr_auto]"
          onSubmit={(event) => {
            event.preventDefault();
            invite.mutate({ email, role }, { onSuccess: () => setEmail(afterSending(email, '')) });
          }}
        >
          <TextField
            label={t('Email of the person')}
            type="email"
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <SelectField
            label={t('Role')}
            value={role}
            onChange={(event) => setRole(event.target.value as Role)}
          >
            <option value="viewer">{t('Viewer')}</option>
            <option value="manager">{t('Manager')}</option>
            <option value="owner">{t('Owner')}</option>
          </SelectField>
          <RowActions>
            <Button type="submit" look="primary" busy={invite.isPending}>
              {t('Create link')}
            </Button>
            <CopyCurl operation="invite" input={{ email, role }} />
          </RowActions>
        </form>
        {invite.isError ? (
          <div className="mt-4">
            <ErrorNote error={invite.error} />
          </div>
        ) : null}
        {invite.data === undefined ? null : (
          <div role="status" className="mt-4 rounded-md border border-good p-4">
            <p className="font-medium">
              {t('Send this link to the person. It works once and is shown only now.')}
            </p>
            <div className="mt-3 flex flex-wrap items-center gap-3">
              <code className="rounded-md bg-raised px-3 py-2 font-mono break-all">{invite.data.url}</code>
              <CopyButton text={invite.data.url} />
            </div>
          </div>
        )}
      </Card>
      {withdraw.isError ? <ErrorNote error={withdraw.error} /> : null}
      {list.isPending ? (
        <Loading shape="table" />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.data.invitations.length === 0 ? null : (
        <section>
          <h2 className="mb-3 text-base font-semibold">{t('Open invitations')}</h2>
          <Table
            caption={t('Open invitations')}
            columns={columns}
            rows={list.data.invitations}
            keyOf={(invitation) => invitation.id}
          />
        </section>
      )}
    </>
  );
}
