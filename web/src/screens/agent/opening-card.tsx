import type { ReactNode } from 'react';
import { lengthOf } from '../../ui/counted-area.tsx';
import type { VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { VariableArea } from '../../parts/variable-area.tsx';
import { knownIn } from './undeclared.ts';
import { t } from '../../words/words.ts';

const LIMIT = 500;

/** The first words of the assistant. */
export function OpeningCard(target: VersionProps): ReactNode {
  const form = useDraft(
    {
      text: target.version.agent_config.intro_message,
    },
    'Opening',
  );
  const { draft, set } = form;
  return (
    <EditCard
      title={t('Opening')}
      target={target}
      edit={{ operation: 'edit_intro_message', intro_message: draft.text }}
      form={form}
      problem={lengthOf(draft.text) > LIMIT ? t('The first message is too long.') : undefined}
    >
      {(errorOf) => (
        <VariableArea
          label={t('First message')}
          rows={3}
          limit={LIMIT}
          variables={knownIn(target.version)}
          value={draft.text}
          readOnly={!target.mayEdit}
          hint={t('{{name}} stands for a variable.')}
          error={errorOf('intro_message')}
          onChange={(event) => set({ text: event.target.value })}
        />
      )}
    </EditCard>
  );
}
