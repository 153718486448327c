import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button, buttonClass, CopyCurl } from '../../ui/controls.tsx';
import { useAgentChoices } from '../../ui/filters/choices.tsx';
import type { ListFilter } from '../../ui/filters/list-filter.ts';
import { ListFilters } from '../../ui/filters/list-filters.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, EmptyState, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { ChatState } from './chat-state.tsx';
import { chatFilters, CHANNELS, PAGE_SIZE, STATES, toRequest, type ChatFilters } from './filters.ts';
import { WriteFirst } from './write-first.tsx';
import { t } from '../../words/words.ts';

type Chat = Answer<'listChats'>['chats'][number];
const REFRESH_MS = 10_000;

const personOf = (chat: Chat): string => chat.customer_name || chat.customer_number || t('A visitor');

const COLUMNS: readonly Column<Chat>[] = [
  {
    title: 'Last message',
    cell: (chat) => (
      <span className="flex items-baseline gap-x-3">
        <Link
          to="/chats/$chatId"
          params={{ chatId: chat.chat_id }}
          className="shrink-0 font-medium text-accent"
        >
          <Time iso={chat.last_message_at ?? chat.started_at} isBrief />
        </Link>
        <span className="truncate text-muted">{chat.last_message}</span>
      </span>
    ),
    isLong: true,
  },
  { title: 'State', cell: (chat) => <ChatState chat={chat} /> },
  {
    title: 'Person',
    cell: (chat) => (
      <span className="flex items-baseline gap-x-2">
        <span className="truncate">{personOf(chat)}</span>
        {chat.customer_name === '' || chat.customer_number === null ? null : (
          <span className="shrink-0 text-muted tabular-nums">{chat.customer_number}</span>
        )}
      </span>
    ),
  },
  { title: 'Channel', cell: (chat) => <Badge>{t(CHANNELS[chat.channel])}</Badge> },
  { title: 'Assistant', cell: (chat) => chat.agent_name },
  { title: 'Messages', cell: (chat) => formatNumber(chat.message_count), isNumber: true, isMinor: true },
];

/** A chat on a phone: who, its state, what was said last, and when. */
const phoneRow = (chat: Chat): PhoneRow => ({
  title: (
    <Link to="/chats/$chatId" params={{ chatId: chat.chat_id }} className="text-ink no-underline">
      {personOf(chat)}
    </Link>
  ),
  state: <ChatState chat={chat} />,
  detail: chat.last_message,
  time: <Time iso={chat.last_message_at ?? chat.started_at} isBrief />,
});

/** Conversations by text, newest first. */
export function ChatsPage(): ReactNode {
  const filters = useSearch({ from: '/app/chats' });
  const navigate = useNavigate({ from: '/chats' });
  const mayWrite = useMay('manager');
  const [isWriting, setIsWriting] = useState(false);
  const list = useRead('listChats', toRequest(filters), { every: REFRESH_MS, keep: true });
  const show = (change: ChatFilters): void => void navigate({ search: change, replace: true });
  const { page = 1, ...others } = filters;
  return (
    <Page
      title={t('Chats')}
      intro={t(
        'Conversations by text: WhatsApp and web pages. The filters are in the address, so a link shares them.',
      )}
      actions={
        mayWrite ? <Button onClick={() => setIsWriting(true)}>{t('Write to a person')}</Button> : undefined
      }
    >
      {isWriting ? <WriteFirst onClose={() => setIsWriting(false)} /> : null}
      <Filters filters={others} onChange={show} />
      <Loaded read={list} shape="table">
        {({ chats, total }) =>
          chats.length > 0 ? (
            <>
              <Table
                caption={t('Chats')}
                columns={COLUMNS}
                rows={chats}
                keyOf={(chat) => chat.chat_id}
                phone={phoneRow}
              />
              <Pager
                total={total}
                page={page}
                size={PAGE_SIZE}
                onPage={(next) => show({ ...others, ...(next > 1 ? { page: next } : {}) })}
              />
            </>
          ) : Object.keys(filters).length > 0 ? (
            <EmptyState
              title={t('No chat matches')}
              icon="messages-square"
              action={<Button onClick={() => show({})}>{t('Clear the filters')}</Button>}
            >
              {t('Chats of other states or assistants may exist.')}
            </EmptyState>
          ) : (
            <EmptyState
              title={t('No chats yet')}
              icon="messages-square"
              action={
                <Link to="/whatsapp" className={buttonClass('primary')}>
                  {t('Attach a WhatsApp number')}
                </Link>
              }
              curl={<CopyCurl operation="listChats" input={{ limit: 20 }} />}
            >
              {t('A chat begins with the first message that a person writes to an assistant.')}
            </EmptyState>
          )
        }
      </Loaded>
    </Page>
  );
}

function Filters({
  filters,
  onChange,
}: {
  filters: ChatFilters;
  onChange: (filters: ChatFilters) => void;
}): ReactNode {
  const set = (name: keyof ChatFilters, value: string): void =>
    onChange(chatFilters({ ...filters, [name]: value }));
  const { whatsapp, web } = CHANNELS;
  const list: ListFilter<'state' | 'channel' | 'agent'>[] = [
    {
      name: 'state',
      label: t('State'),
      value: filters.state,
      kind: 'choice',
      options: Object.entries(STATES),
    },
    {
      name: 'channel',
      label: t('Channel'),
      value: filters.channel,
      kind: 'choice',
      options: Object.entries({ whatsapp, web }),
    },
    {
      name: 'agent',
      label: t('Assistant'),
      value: filters.agent,
      kind: 'choice',
      options: useAgentChoices(),
    },
  ];
  return (
    <ListFilters
      filters={list}
      search={{
        label: t('Number of the person'),
        value: filters.number ?? '',
        onApply: (value) => set('number', value),
      }}
      onChange={set}
      onClear={() => onChange({})}
    />
  );
}
