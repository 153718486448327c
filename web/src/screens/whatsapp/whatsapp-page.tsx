import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button, buttonClass, CopyButton, CopyCurl } from '../../ui/controls.tsx';
import { Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, EmptyState, Facts, Page } from '../../ui/page.tsx';
import { AttachNumber } from './attach-number.tsx';
import { ChangeNumberDialog } from './change-number-dialog.tsx';
import { Templates } from './templates.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

type WhatsappNumber = Answer<'listWhatsappNumbers'>['whatsapp_numbers'][number];
type Agent = Answer<'listAgents'>['data']['agents'][number];

/** The WhatsApp numbers of the workspace, and the assistants that answer on them. */
export function WhatsappPage(): ReactNode {
  const numbers = useRead('listWhatsappNumbers', {});
  const agents = useRead('listAgents', {});
  const mayChange = useMay('manager');
  const [changed, setChanged] = useState<WhatsappNumber | null>(null);
  const [removed, setRemoved] = useState<WhatsappNumber | null>(null);
  const remove = useChange('removeWhatsappNumber', ['listWhatsappNumbers'], () =>
    t('The number is removed.'),
  );
  const writers = (agents.data?.data.agents ?? []).filter((agent) => agent.agent_type === 'whatsapp');
  const input = { whatsapp_number_id: removed?.id ?? '' };
  return (
    <Page
      title={t('WhatsApp')}
      intro={t('Numbers of the WhatsApp Business Cloud API. An assistant answers what people write to them.')}
    >
      <Loaded read={numbers}>
        {({ whatsapp_numbers: list }) =>
          list.length === 0 ? (
            <EmptyState
              title={t('No WhatsApp number yet')}
              icon="messages-square"
              action={
                mayChange && writers.length === 0 ? (
                  <Link to="/agents/new" className={buttonClass('primary')}>
                    {t('New assistant')}
                  </Link>
                ) : undefined
              }
              curl={<CopyCurl operation="listWhatsappNumbers" input={{}} />}
            >
              {writers.length === 0
                ? t(
                    'Create an assistant that writes with people, then attach a number of your Meta app to it.',
                  )
                : t(
                    'Attach a number of your Meta app below. An assistant that writes with people answers on it.',
                  )}
            </EmptyState>
          ) : (
            <ul className="flex flex-col gap-4" aria-label={t('WhatsApp numbers')}>
              {list.map((number) => (
                <li key={number.id}>
                  <NumberCard
                    number={number}
                    agent={writers.find(({ id }) => id === number.agent_id)}
                    onRemove={mayChange ? () => setRemoved(number) : null}
                    onChange={mayChange ? () => setChanged(number) : null}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {!mayChange ? null : (
        <Loaded read={agents}>
          {() => (writers.length === 0 ? null : <AttachNumber agents={writers} />)}
        </Loaded>
      )}
      {changed === null ? null : <ChangeNumberDialog number={changed} onClose={() => setChanged(null)} />}
      {removed === null ? null : (
        <ConfirmDialog
          title={t('Remove {number}?', { number: removed.number })}
          action={t('Remove the number')}
          isBusy={remove.isPending}
          error={remove.error}
          curl={<CopyCurl operation="removeWhatsappNumber" input={input} />}
          onConfirm={() => remove.mutate(input, { onSuccess: () => setRemoved(null) })}
          onClose={() => setRemoved(null)}
        >
          {t('Messages to it are not answered any more, and its token is deleted. Its chats stay readable.')}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function NumberCard({
  number,
  agent,
  onRemove,
  onChange,
}: {
  number: WhatsappNumber;
  agent: Agent | undefined;
  onRemove: (() => void) | null;
  onChange: (() => void) | null;
}): ReactNode {
  const copied = (text: string, label: string): ReactNode => (
    <span className="flex flex-wrap items-center gap-2">
      <code className="font-mono text-sm break-all">{text}</code>
      <CopyButton text={text} name={t('Copy the {label}', { label })} />
    </span>
  );
  return (
    <section
      aria-label={number.number}
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h2 className="flex flex-wrap items-center gap-2 text-base font-semibold">
          <span className="tabular-nums">{number.number}</span> {number.display_name}
          {number.last_error === null ? null : <Badge tone="bad">{t('Sending was paused')}</Badge>}
        </h2>
        {onRemove === null || onChange === null ? null : (
          <span className="flex flex-wrap gap-2">
            <Button aria-label={t('Change {number}', { number: number.number })} onClick={onChange}>
              {t('Change')}
            </Button>
            <Button
              look="danger"
              aria-label={t('Remove {number}', { number: number.number })}
              onClick={onRemove}
            >
              {t('Remove')}
            </Button>
          </span>
        )}
      </div>
      {number.last_error === null ? null : (
        <p className="wrap-anywhere text-bad">
          {number.last_error_code === null
            ? number.last_error
            : t('WhatsApp answered with error {code}.', { code: number.last_error_code })}
        </p>
      )}
      <p className="text-sm text-muted">
        {rich(
          'Enter callback address and verify token in the WhatsApp settings of your Meta app, subscribed to the field {code}. Meta then verifies both.',
          { code: <code className="font-mono">messages</code> },
        )}
      </p>
      <Facts
        rows={[
          [
            'Assistant',
            agent === undefined ? (
              'Deleted'
            ) : (
              <Link
                key="agent"
                to="/agents/$agentId"
                params={{ agentId: agent.id }}
                className="text-accent underline"
              >
                {agent.agent_display_name}
              </Link>
            ),
          ],
          ['Callback address', copied(number.webhook_url, t('callback address'))],
          ...(number.verify_token === null
            ? []
            : [['Verify token', copied(number.verify_token, t('verify token'))] as const]),
          [
            'Phone number id',
            <code key="id" className="font-mono text-sm">
              {number.phone_number_id}
            </code>,
          ],
          [
            'Business account',
            number.business_account_id === null ? (
              <span key="account" className="text-muted">
                {t('Not known until the first message to the number arrives.')}
              </span>
            ) : (
              <code key="account" className="font-mono text-sm">
                {number.business_account_id}
              </code>
            ),
          ],
          ['Attached', <Time key="attached" iso={number.created_at} />],
        ]}
      />
      <Templates numberId={number.id} />
    </section>
  );
}
