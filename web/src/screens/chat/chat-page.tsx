import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { formatNumber, formatSeconds, Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { RawJson } from '../../ui/raw-json.tsx';
import { Evaluations } from '../call/evaluations.tsx';
import { Analysis } from '../call/measures.tsx';
import { ChatState } from '../chats/chat-state.tsx';
import { CHANNELS } from '../chats/filters.ts';
import { loggedTools } from '../test-cases/proposal.ts';
import { SaveCase } from '../test-cases/save-case.tsx';
import { ChatActions } from './chat-actions.tsx';
import { ChatTools } from './chat-tools.tsx';
import { ChatTranscript } from './chat-transcript.tsx';
import type { Chat } from './types.ts';
import { t } from '../../words/words.ts';

const REFRESH_MS = 5_000;

/** One chat: what was written as it comes, who answers, and what became of it. */
export function ChatPage(): ReactNode {
  const { chatId } = useParams({ from: '/app/chats/$chatId' });
  const [isOpen, setIsOpen] = useState(true);
  const read = useRead('getChat', { id: chatId }, { every: isOpen ? REFRESH_MS : false });
  const chat = read.data?.data;
  if (chat !== undefined && isOpen !== (chat.state !== 'closed')) setIsOpen(chat.state !== 'closed');
  return (
    <Page
      title={chat === undefined ? t('Chat') : t('Chat with {chat}', { chat: nameOf(chat) })}
      intro={chat === undefined ? undefined : <ChatState chat={chat} />}
      actions={chat === undefined ? undefined : <SaveChatCase chat={chat} />}
    >
      <Loaded read={read} shape="cards">
        {({ data }) => <ChatDetails key={data.chat_id} chat={data} />}
      </Loaded>
    </Page>
  );
}

const nameOf = (chat: Chat): string => chat.customer_name || chat.customer_number || 'a visitor';

/** For a chat that has ended and is not erased. */
function SaveChatCase({ chat }: { chat: Chat }): ReactNode {
  if (chat.state !== 'closed' || chat.transcript.length === 0) return null;
  const conversation = {
    name: '',
    variables: chat.custom_args_values,
    lines: chat.transcript.filter(({ role }) => role === 'user').map(({ text }) => text),
    tools: loggedTools(chat.tool_call_logs),
    end: chat.end_reason,
  };
  return <SaveCase agentId={chat.agent_id} conversation={conversation} source={{ chat_id: chat.chat_id }} />;
}

function ChatDetails({ chat }: { chat: Chat }): ReactNode {
  return (
    <>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Card title={t('Messages')}>
          <div className="flex flex-col gap-5">
            <ChatTranscript chat={chat} />
            <ChatActions chat={chat} />
          </div>
        </Card>
        <div className="flex flex-col gap-6">
          <Overview chat={chat} />
          <Analysis platform={chat.platform_analysis} client={chat.client_analysis} />
          <Evaluations evaluations={chat.evaluations} />
          <ChatTools chat={chat} />
        </div>
      </div>
      <RawJson value={chat} />
    </>
  );
}

function Overview({ chat }: { chat: Chat }): ReactNode {
  const tokens = chat.usage.reduce(
    (sum, each) => sum + (each.input_tokens ?? 0) + (each.output_tokens ?? 0),
    0,
  );
  const heardSeconds = chat.usage.reduce((sum, each) => sum + each.audio_seconds, 0);
  return (
    <Card title={t('Overview')}>
      <Facts
        rows={[
          ['Person', chat.customer_name || 'Unknown'],
          ['Number', chat.customer_number ?? '–'],
          ['Channel', t(CHANNELS[chat.channel])],
          ['Assistant', chat.agent_name],
          ['Began', <Time key="began" iso={chat.started_at} />],
          ['Ended', <Time key="ended" iso={chat.ended_at} />],
          ['Duration', formatSeconds(chat.chat_duration)],
          ['Tokens of models', tokens === 0 ? '–' : formatNumber(tokens)],
          ['Voice messages heard', heardSeconds === 0 ? '–' : formatSeconds(Math.round(heardSeconds))],
          ...Object.entries(chat.custom_args_values),
        ]}
      />
    </Card>
  );
}
