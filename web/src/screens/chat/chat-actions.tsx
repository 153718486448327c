import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { sessionQuery, useMay } from '../../session/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button, CopyCurl, TextArea } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import type { Chat } from './types.ts';
import { t } from '../../words/words.ts';

const AFFECTED = ['getChat', 'listChats'] as const;
const MOST_CHARACTERS = 4096;

/** Who answers: the assistant, or a member of the workspace, who takes the chat over, writes, and hands it back. */
export function ChatActions({ chat }: { chat: Chat }): ReactNode {
  const mayWrite = useMay('manager');
  const self = useQuery(sessionQuery).data?.user.email;
  const [isEnding, setIsEnding] = useState(false);
  const takeOver = useChange('takeOverChat', AFFECTED, ({ chat_id: id, force }) => ({
    text: t('You answer this chat now.'),
    // Another person, who had it, gets it back only by taking it over.
    undo: force === true ? undefined : () => call('handBackChat', { chat_id: id }),
  }));
  const handBack = useChange('handBackChat', AFFECTED, (input) => ({
    text: t('The assistant answers this chat again.'),
    undo: chat.taken_by === self ? () => call('takeOverChat', input) : undefined,
  }));
  const end = useChange('endChat', AFFECTED, () => t('The chat is ended.'));
  if (!mayWrite || chat.state === 'closed') return null;
  const target = { chat_id: chat.chat_id };
  const isMine = chat.state === 'with_person' && chat.taken_by === self;
  // Somebody else has it: taking it over has to say so.
  const taking = chat.state === 'with_person' ? { ...target, force: true } : target;
  const error = takeOver.error ?? handBack.error;
  return (
    <section aria-label={t('Who answers')} className="flex flex-col gap-4 border-t border-line pt-4">
      {isMine ? <Writing chatId={chat.chat_id} /> : null}
      {error === null ? null : <ErrorNote error={error} />}
      <div className="flex flex-wrap items-center gap-2">
        <p className="grow">
          {chat.state === 'open'
            ? t('The assistant answers.')
            : isMine
              ? t('You answer. The assistant waits.')
              : t('{takenBy} answers. The assistant waits.', {
                  takenBy: chat.taken_by ?? t('Another person'),
                })}
        </p>
        {isMine ? null : (
          <>
            <Button look="primary" busy={takeOver.isPending} onClick={() => takeOver.mutate(taking)}>
              {t('Take over')}
            </Button>
            <CopyCurl operation="takeOverChat" input={taking} of={t('taking this chat')} />
          </>
        )}
        {chat.state === 'with_person' ? (
          <>
            <Button busy={handBack.isPending} onClick={() => handBack.mutate(target)}>
              {t('Hand back')}
            </Button>
            <CopyCurl operation="handBackChat" input={target} of={t('handing this chat to the assistant')} />
          </>
        ) : null}
        <Button look="danger" onClick={() => setIsEnding(true)}>
          {t('End chat')}
        </Button>
      </div>
      {isEnding ? (
        <ConfirmDialog
          title={t('End this chat?')}
          action={t('End the chat')}
          isBusy={end.isPending}
          error={end.error}
          curl={<CopyCurl operation="endChat" input={target} />}
          onConfirm={() => end.mutate(target, { onSuccess: () => setIsEnding(false) })}
          onClose={() => setIsEnding(false)}
        >
          {t('Nothing more is written to the person. Their next message begins a new chat.')}
        </ConfirmDialog>
      ) : null}
    </section>
  );
}

function Writing({ chatId }: { chatId: string }): ReactNode {
  const [text, setText] = useState('');
  const send = useChange('sendChatMessage', AFFECTED);
  const input = { chat_id: chatId, text };
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate(input, { onSuccess: () => setText(afterSending(text, '')) });
      }}
    >
      <TextArea
        label={t('Your message')}
        rows={2}
        maxLength={MOST_CHARACTERS}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {send.isError ? <ErrorNote error={send.error} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={send.isPending} disabled={text.trim() === ''}>
          {t('Send')}
        </Button>
        <CopyCurl operation="sendChatMessage" input={input} />
      </div>
    </form>
  );
}
