import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button, buttonClass, CopyCurl } from '../../ui/controls.tsx';
import { AgentFilter, ChoiceFilter } from '../../ui/filters.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, EmptyState, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { ChatState } from './chat-state.tsx';
import { chatFilters, CHANNELS, PAGE_SIZE, STATES, toRequest, type ChatFilters } from './filters.ts';
import { WriteFirst } from './write-first.tsx';
import { t } from '../../words/words.ts';

type Chat = Answer<'listChats'>['chats'][number];
const REFRESH_MS = 10_000;

const COLUMNS: readonly Column<Chat>[] = [
  {
    title: 'Last message',
    cell: (chat) => (
      <>
        <Link to="/chats/$chatId" params={{ chatId: chat.chat_id }} className="font-medium text-accent">
          <Time iso={chat.last_message_at ?? chat.started_at} isBrief />
        </Link>
        <span className="block max-w-80 truncate text-muted">{chat.last_message}</span>
      </>
    ),
  },
  { title: 'State', cell: (chat) => <ChatState chat={chat} /> },
  {
    title: 'Person',
    cell: (chat) => (
      <>
        <span className="whitespace-nowrap">
          {chat.customer_name || chat.customer_number || t('A visitor')}
        </span>
        {chat.customer_name === '' || chat.customer_number === null ? null : (
          <span className="block whitespace-nowrap text-muted tabular-nums">{chat.customer_number}</span>
        )}
      </>
    ),
  },
  { title: 'Channel', cell: (chat) => <Badge>{CHANNELS[chat.channel]}</Badge> },
  { title: 'Assistant', cell: (chat) => chat.agent_name },
  { title: 'Messages', cell: (chat) => formatNumber(chat.message_count), isNumber: true },
];

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
              <Table caption={t('Chats')} columns={COLUMNS} rows={chats} keyOf={(chat) => chat.chat_id} />
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
  const setter =
    (name: keyof ChatFilters) =>
    (value: string): void =>
      onChange(chatFilters({ ...filters, [name]: value }));
  const { whatsapp, web } = CHANNELS;
  return (
    <search className="grid grid-cols-2 items-end gap-3 md:grid-cols-4">
      <ChoiceFilter
        label={t('State')}
        value={filters.state}
        options={Object.entries(STATES)}
        onChange={setter('state')}
      />
      <ChoiceFilter
        label={t('Channel')}
        value={filters.channel}
        options={Object.entries({ whatsapp, web })}
        onChange={setter('channel')}
      />
      <AgentFilter value={filters.agent} onChange={setter('agent')} />
      <SearchField
        key={filters.number ?? ''}
        label={t('Number of the person')}
        value={filters.number ?? ''}
        onApply={setter('number')}
      />
    </search>
  );
}
