import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const MOST_WISH = 1_000;

/** Drafts scenarios of a version by rules or by the workspace's language model: a text to read and change before it is run. */
export function DraftScenarios({
  agentId,
  versionId,
  onDrafted,
}: {
  agentId: string;
  versionId: string;
  onDrafted: (file: string) => void;
}): ReactNode {
  const models = useRead('getProviders', {}).data?.providers.in_use.llm ?? [];
  const [wish, setWish] = useState('');
  const draft = useChange('draftScenarios');
  const write = (by: 'rules' | 'model'): void =>
    draft.mutate(
      {
        agent_id: agentId,
        version_id: versionId,
        by,
        ...(by === 'rules' || wish.trim() === '' ? {} : { wish: wish.trim() }),
      },
      { onSuccess: ({ scenario_file: file }) => onDrafted(file) },
    );
  const isBusy = (by: 'rules' | 'model'): boolean => draft.isPending && draft.variables.by === by;
  return (
    <div className="flex w-full flex-col items-start gap-2">
      {models.length === 0 ? null : (
        <div className="w-full max-w-xl">
          <TextField
            label={t('What scenarios by the model are about')}
            hint={t('Optional. The model reads the prompt and the flow; you read its draft before it runs.')}
            maxLength={MOST_WISH}
            value={wish}
            onChange={(event) => setWish(event.target.value)}
          />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button busy={isBusy('rules')} onClick={() => write('rules')}>
          {t('Draft scenarios by rules')}
        </Button>
        {models.length === 0 ? null : (
          <Button busy={isBusy('model')} onClick={() => write('model')}>
            {t('Draft scenarios by the model')}
          </Button>
        )}
      </div>
      {draft.isError ? <ErrorNote error={draft.error} /> : null}
    </div>
  );
}
