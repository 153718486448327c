import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { chatEndName } from '../../parts/outcomes.ts';
import { Badge } from '../../ui/page.tsx';
import { STATES } from './filters.ts';
import { t } from '../../words/words.ts';

const TONES = { open: 'good', with_person: 'accent', closed: 'neutral' } as const;

/** Whether the chat is open, and why it ended. */
export function ChatState({
  chat: { state, end_reason: reason },
}: {
  chat: Pick<Answer<'listChats'>['chats'][number], 'state' | 'end_reason'>;
}): ReactNode {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Badge tone={TONES[state]}>{t(STATES[state])}</Badge>
      {reason === null ? null : <span className="text-muted">{chatEndName(reason)}</span>}
    </span>
  );
}
