import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { Button, TextArea } from '../../ui/controls.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import type { Beginning } from './beginnings.ts';

const [LEAST, MOST] = [10, 1_000];

/** A sentence from which the language model of the workspace writes an assistant; nothing where none is in use. */
export function DescribeIt({ onWritten }: { onWritten: (beginning: Beginning) => void }): ReactNode {
  const models = useRead('getProviders', {}).data?.providers.in_use.llm ?? [];
  const write = useChange('describeAgent');
  const [text, setText] = useState('');
  if (models.length === 0) return null;
  return (
    <Card title={t('Describe it in a sentence')}>
      <form
        className="flex max-w-xl flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          write.mutate(
            { description: text.trim() },
            {
              onSuccess: ({ draft }) =>
                onWritten({
                  name: draft.agent_name,
                  opening: draft.intro_message,
                  objective: draft.introduction_and_objective,
                  guidelines: draft.response_guidelines,
                  task: draft.task,
                }),
            },
          );
        }}
      >
        <TextArea
          label={t('What should it do?')}
          rows={2}
          maxLength={MOST}
          hint={t('Your language model writes a first version, which you read and change before it calls.')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <span>
          <Button type="submit" busy={write.isPending} disabled={text.trim().length < LEAST}>
            {t('Write it')}
          </Button>
        </span>
        {write.isError ? <ErrorNote error={write.error} /> : null}
      </form>
    </Card>
  );
}
