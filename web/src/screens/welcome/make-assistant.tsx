import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { useWorkspace } from '../../session/session.ts';
import { Button, TextArea, TextField } from '../../ui/controls.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { notify } from '../../ui/toasts.ts';
import { addFlow } from '../agent-new/add-flow.ts';
import { LIMITS, toRequest } from '../agent-new/draft.ts';
import { draftOf, withCompany, type Beginning } from './beginnings.ts';
import type { Made } from './try-assistant.tsx';
import { t } from '../../words/words.ts';

/** The name and the first words of the assistant; its voice is chosen, and its hours are those of the called person. */
export function MakeAssistant({
  beginning,
  onBack,
  onMade,
}: {
  beginning: Beginning;
  onBack: () => void;
  onMade: (made: Made) => void;
}): ReactNode {
  const { template } = beginning;
  const begin = draftOf(beginning);
  const workspace = useWorkspace();
  const voices = useRead('listVoices', { language: begin.language });
  const [name, setName] = useState(begin.name);
  const [company, setCompany] = useState('');
  const [opening, setOpening] = useState(begin.opening);
  const [task, setTask] = useState(begin.task);
  const [isAdding, setAdding] = useState(false);
  const objective = withCompany(begin.objective, template, company);
  const create = useChange('createAgent', ['listAgents']);
  const voiceId = voices.data?.voices[0]?.id ?? '';
  const chooseCompany = (next: string): void => {
    // Words that the person wrote stay.
    if (opening === withCompany(begin.opening, template, company))
      setOpening(withCompany(begin.opening, template, next));
    setCompany(next);
  };
  const finish = async (agentId: string): Promise<void> => {
    setAdding(true);
    if (template !== undefined)
      await addFlow(agentId, template).catch((error: Error) =>
        notify({
          text: t('The assistant lacks steps of its template: {message}', { message: error.message }),
          tone: 'bad',
        }),
      );
    onMade({ agentId, name, template });
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(toRequest({ ...begin, name, opening, objective, task, voiceId }), {
          onSuccess: ({ data }) => void finish(data.id),
        });
      }}
    >
      <Card title={template === undefined ? t('Your assistant') : t(template.name)}>
        <div className="flex max-w-xl flex-col gap-4">
          <TextField
            label={t('Name of the assistant')}
            required
            maxLength={LIMITS.name}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          {template === undefined ? null : (
            <TextField
              label={t('Your company')}
              maxLength={100}
              placeholder={template.company}
              hint={t('The assistant says it in place of {name}.', { name: template.company })}
              value={company}
              onChange={(event) => chooseCompany(event.target.value)}
            />
          )}
          <TextArea
            label={t('First words')}
            required
            rows={3}
            maxLength={LIMITS.opening}
            hint={
              workspace === null
                ? t('What people hear when they answer. Say there who calls.')
                : t('What people hear when they answer. Say there who calls, such as {name}.', {
                    name: workspace.name,
                  })
            }
            value={opening}
            onChange={(event) => setOpening(event.target.value)}
          />
          {template === undefined ? (
            <TextArea
              label={t('What it does, step by step')}
              required
              rows={8}
              maxLength={LIMITS.task}
              value={task}
              onChange={(event) => setTask(event.target.value)}
            />
          ) : null}
          <p className="text-muted">
            {t(
              'It speaks English with the first voice of this installation, and calls between {start} and {end} on the clock of the called person. All of it can be changed later.',
              { start: begin.start, end: begin.end },
            )}
          </p>
        </div>
      </Card>
      {voices.isError ? <ErrorNote error={voices.error} retry={() => void voices.refetch()} /> : null}
      {create.isError ? <ErrorNote error={create.error} /> : null}
      <div className="flex gap-2">
        <Button onClick={onBack}>{t('Back')}</Button>
        <Button type="submit" look="primary" busy={create.isPending || isAdding} disabled={voiceId === ''}>
          {t('Create and try it')}
        </Button>
      </div>
    </form>
  );
}
