import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatCode } from '../../ui/format.tsx';
import { Badge } from '../../ui/page.tsx';
import { STATES } from './filters.ts';

const TONES = { open: 'good', with_person: 'accent', closed: 'neutral' } as const;

/** Whether the chat is open, and why it ended. */
export function ChatState({
  chat: { state, end_reason: reason },
}: {
  chat: Pick<Answer<'listChats'>['chats'][number], 'state' | 'end_reason'>;
}): ReactNode {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Badge tone={TONES[state]}>{STATES[state]}</Badge>
      {reason === null ? null : <span className="text-muted">{formatCode(reason)}</span>}
    </span>
  );
}
