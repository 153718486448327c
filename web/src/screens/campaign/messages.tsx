import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Answer, Input } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { ListFilters } from '../../ui/filters/list-filters.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { formatShare, Stat, Stats } from '../../ui/stat.tsx';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { Campaign } from './types.ts';
import { outcomeName } from '../../parts/outcomes.ts';
import { t } from '../../words/words.ts';

type Message = Answer<'listCampaignMessages'>['messages'][number];
type Status = NonNullable<Input<'listCampaignMessages'>['status']>;
const SIZE = 50;
const REFRESH_MS = 10_000;
const STATUSES: readonly (readonly [Status, string])[] = [
  ['registered', 'Not sent yet'],
  ['ongoing', 'Being sent'],
  ['retry', 'Waiting for a retry'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['error', 'Error'],
  ['cancelled', 'Cancelled'],
];
const TONES = {
  registered: 'neutral',
  ongoing: 'accent',
  retry: 'warn',
  completed: 'good',
  failed: 'bad',
  error: 'bad',
  cancelled: 'neutral',
} as const;

const StateBadge = ({ message }: { message: Message }): ReactNode => (
  <Badge tone={TONES[message.status]}>{outcomeName(message.delivery_status ?? message.sub_status)}</Badge>
);

/** A message on a phone: who and its state, what it says, and when it was sent. */
const phoneRow = (message: Message): PhoneRow => {
  const { callee_name: name, mobile_number: number, chat_id: chatId } = message;
  return {
    title:
      chatId === null ? (
        name || number
      ) : (
        <Link to="/chats/$chatId" params={{ chatId }} className="text-ink no-underline">
          {name || number}
        </Link>
      ),
    state: <StateBadge message={message} />,
    detail: message.text,
    time: message.sent_at === null ? null : <Time iso={message.sent_at} isBrief />,
  };
};

const COLUMNS: readonly Column<Message>[] = [
  {
    title: 'Person',
    cell: (message) => (
      <span className="flex items-baseline gap-x-2">
        <span className="shrink-0 tabular-nums">{message.mobile_number}</span>
        <span className="truncate text-muted">{message.callee_name}</span>
      </span>
    ),
    isLong: true,
  },
  {
    title: 'State',
    cell: (message) => (
      <span className="inline-flex items-center gap-x-2">
        <StateBadge message={message} />
        {message.error_code === null ? null : (
          <span className="text-muted">
            {t('WhatsApp error {errorCode}', { errorCode: message.error_code })}
          </span>
        )}
      </span>
    ),
  },
  {
    title: 'Words',
    cell: (message) => <span title={message.text ?? ''}>{message.text ?? '–'}</span>,
    isLong: true,
  },
  { title: 'Sent', cell: (message) => <Time iso={message.sent_at} isBrief /> },
  {
    title: 'Answer',
    cell: (message) =>
      message.chat_id === null ? (
        <span className="text-muted">–</span>
      ) : (
        <Link to="/chats/$chatId" params={{ chatId: message.chat_id }} className="text-accent underline">
          {t('Open the chat')}
        </Link>
      ),
  },
];

/** What became of the messages of a campaign: in figures, then one by one. */
export function Messages({ campaign }: { campaign: Campaign }): ReactNode {
  const [status, setStatus] = useState<Status | undefined>();
  const [page, setPage] = useState(1);
  const read = useRead(
    'listCampaignMessages',
    {
      campaign_id: campaign.id,
      limit: SIZE,
      offset: (page - 1) * SIZE,
      ...(status === undefined ? {} : { status }),
    },
    // Messages are delivered, read and answered after the campaign has ended, too.
    { keep: true, every: REFRESH_MS },
  );
  const sent = campaign.sent_count ?? 0;
  const figure = (name: string, count: number | undefined): ReactNode => (
    <Stat name={name} value={formatNumber(count ?? 0)}>
      {sent === 0
        ? t('Nothing was sent yet.')
        : t('{count} of those sent.', { count: formatShare((count ?? 0) / sent) })}
    </Stat>
  );
  const show = (next: Status | undefined): void => {
    setStatus(next);
    setPage(1);
  };
  return (
    <section className="flex flex-col gap-4">
      <h2 className="text-base font-semibold">{t('Messages')}</h2>
      <Stats>
        <Stat name={t('Sent')} value={formatNumber(sent)}>
          {t('WhatsApp accepted them.')}
        </Stat>
        {figure('Delivered', campaign.delivered_count)}
        {figure('Read', campaign.read_count)}
        {figure('Answered', campaign.answered_count)}
      </Stats>
      <ListFilters
        filters={[
          {
            name: 'status',
            label: t('State of the message'),
            value: status,
            kind: 'choice',
            options: STATUSES,
          },
        ]}
        onChange={(_, value) => show(STATUSES.find(([each]) => each === value)?.[0])}
        onClear={() => show(undefined)}
      />
      <Loaded read={read}>
        {({ messages, total }) =>
          messages.length === 0 ? (
            <p className="text-muted">{t('No message is in this state.')}</p>
          ) : (
            <>
              <Table
                caption={t('Messages')}
                columns={COLUMNS}
                rows={messages}
                keyOf={(message) => message.id}
                phone={phoneRow}
              />
              <Pager total={total} page={page} size={SIZE} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}
