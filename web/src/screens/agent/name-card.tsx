import type { ReactNode } from 'react';
import { TextField } from '../../ui/controls.tsx';
import type { VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

/** The name in lists and reports; callers do not hear it. */
export function NameCard({ name, ...target }: VersionProps & { name: string }): ReactNode {
  const form = useDraft({ name }, 'Name');
  const { draft, set } = form;
  return (
    <EditCard
      title={t('Name')}
      target={target}
      edit={{ operation: 'edit_agent_display_name', agent_display_name: draft.name }}
      isAtOnce
      form={form}
      problem={draft.name.trim() === '' ? t('It needs a name.') : undefined}
    >
      {(errorOf) => (
        <TextField
          label={t('Name of the assistant')}
          maxLength={100}
          value={draft.name}
          readOnly={!target.mayEdit}
          error={errorOf('agent_display_name')}
          onChange={(event) => set({ name: event.target.value })}
        />
      )}
    </EditCard>
  );
}
