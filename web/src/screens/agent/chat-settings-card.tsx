import type { ReactNode } from 'react';
import { TextField } from '../../ui/controls.tsx';
import type { VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

const MOST_MINUTES = 1440;

/** How long chats of a WhatsApp assistant stay open. */
export function ChatSettingsCard(target: VersionProps): ReactNode {
  const stored = target.version.chat_settings?.whatsapp_session;
  const form = useDraft(
    {
      idle: String(stored?.idle_timeout_minutes ?? ''),
      longest: String(stored?.max_duration_minutes ?? ''),
    },
    'Chats',
  );
  const { draft, set } = form;
  const isLate = Number(draft.idle) > Number(draft.longest);
  const field = (name: 'idle' | 'longest', label: string, error: string | undefined): ReactNode => (
    <TextField
      label={label}
      type="number"
      min={1}
      max={MOST_MINUTES}
      required
      value={draft[name]}
      readOnly={!target.mayEdit}
      error={error}
      onChange={(event) => set({ [name]: event.target.value })}
    />
  );
  return (
    <EditCard
      title={t('Chats')}
      intro={t('A chat ends after a time without a message, and after its longest time in any case.')}
      target={target}
      edit={{
        operation: 'edit_chat_settings',
        chat_settings: {
          whatsapp_session: {
            idle_timeout_minutes: Number(draft.idle),
            max_duration_minutes: Number(draft.longest),
          },
        },
      }}
      form={form}
      problem={isLate ? t('The silence must not be longer than the chat.') : undefined}
    >
      {(errorOf) => {
        const path = 'chat_settings.whatsapp_session';
        return (
          <div className="grid gap-3 sm:grid-cols-2">
            {field(
              'idle',
              'Silence until the end, minutes',
              isLate ? t('Must be at most the longest chat.') : errorOf(`${path}.idle_timeout_minutes`),
            )}
            {field('longest', 'Longest chat, minutes', errorOf(`${path}.max_duration_minutes`))}
          </div>
        );
      }}
    </EditCard>
  );
}
