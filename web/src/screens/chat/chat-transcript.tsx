import type { ReactNode } from 'react';
import { Time } from '../../ui/format.tsx';
import { FallbackBadge } from '../../parts/fallback-badge.tsx';
import { Badge } from '../../ui/page.tsx';
import type { Chat } from './types.ts';
import { t } from '../../words/words.ts';

type Message = Chat['transcript'][number];

/** States of our messages that are worth a word; the others are on their way. */
const STATES: Readonly<
  Partial<Record<NonNullable<Message['state']>, readonly ['good' | 'warn' | 'bad', string]>>
> = {
  unsure: ['warn', 'Possibly not sent'],
  delivered: ['good', 'Delivered'],
  read: ['good', 'Read'],
  failed: ['bad', 'Not sent'],
};

const writerOf = (chat: Chat, message: Message): string => {
  if (message.role === 'user') return chat.customer_name || t('Person');
  return message.role === 'agent' ? t('Assistant') : (message.author ?? t('Your team'));
};

/** What was written: the person's side on the left, ours on the right. */
export function ChatTranscript({ chat }: { chat: Chat }): ReactNode {
  if (chat.erased_at !== null) return <p className="text-muted">{t('The messages were erased.')}</p>;
  if (chat.transcript.length === 0) return <p className="text-muted">{t('No message yet.')}</p>;
  return (
    <ol aria-label={t('Messages')} aria-live="polite" className="flex flex-col gap-3">
      {chat.transcript.map((message) => {
        const state = message.state === null ? undefined : STATES[message.state];
        const isOurs = message.role !== 'user';
        return (
          <li
            key={message.id}
            className={`max-w-[85%] rounded-lg px-3 py-2 ${isOurs ? 'self-end border border-line' : 'self-start bg-raised'}`}
          >
            <span className="flex flex-wrap items-center gap-2 text-xs text-muted">
              {writerOf(chat, message)}
              {message.role === 'person' ? <Badge tone="accent">{t('Written by a person')}</Badge> : null}
              <Time iso={message.timestamp} isBrief />
              <FallbackBadge by={message} />
              {state === undefined ? null : <Badge tone={state[0]}>{t(state[1])}</Badge>}
              {message.error_code === null ? null : (
                <span>{t('error {errorCode}', { errorCode: message.error_code })}</span>
              )}
            </span>
            <span className="block whitespace-pre-wrap wrap-anywhere">{message.text}</span>
          </li>
        );
      })}
    </ol>
  );
}
