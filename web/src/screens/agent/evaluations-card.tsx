import type { ReactNode } from 'react';
import { Button, TextArea, TextField } from '../../ui/controls.tsx';
import type { VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

const MOST = 20;
interface Criterion {
  readonly name: string;
  readonly criterion: string;
}

/** What has to be true of every conversation; each is judged after it. */
export function EvaluationsCard(target: VersionProps): ReactNode {
  const { mayEdit } = target;
  const form = useDraft<readonly Criterion[]>(target.version.evaluations, 'Criteria');
  const { draft, replace } = form;
  const change = (at: number, next: Partial<Criterion>): void =>
    replace(draft.map((each, index) => (index === at ? { ...each, ...next } : each)));
  const names = draft.map(({ name }) => name.trim());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return (
    <EditCard
      title={t('Criteria')}
      intro={t(
        'Each conversation is judged by them once it has ended. Analytics show the share that meets each.',
      )}
      target={target}
      edit={{
        operation: 'edit_evaluations',
        evaluations: draft.map(({ name, criterion }) => ({ name: name.trim(), criterion: criterion.trim() })),
      }}
      form={form}
      problem={
        draft.some(({ name, criterion }) => name.trim() === '' || criterion.trim() === '')
          ? t('Every criterion needs a name and its words.')
          : twice === undefined
            ? undefined
            : t('Two criteria have the name {twice}.', { twice })
      }
    >
      {(errorOf) => (
        <>
          {draft.length === 0 ? <p className="text-muted">{t('Conversations are not judged.')}</p> : null}
          {draft.map((each, index) => (
            // A criterion has no other identity than its place.
            // oxlint-disable-next-line react/no-array-index-key
            <fieldset key={index} className="flex min-w-0 flex-col gap-3 rounded-md border border-line p-4">
              <legend className="px-1 text-sm font-medium">
                {t('Criterion {index}', { index: index + 1 })}
              </legend>
              <TextField
                label={t('Name of criterion {index}', { index: index + 1 })}
                required
                maxLength={80}
                placeholder="confirmed_the_day"
                value={each.name}
                readOnly={!mayEdit}
                error={errorOf(`evaluations[${index}].name`)}
                onChange={(event) => change(index, { name: event.target.value })}
              />
              <TextArea
                label={t('What criterion {index} demands', { index: index + 1 })}
                required
                rows={2}
                maxLength={1000}
                placeholder={t('The assistant repeats the day and the hour before it says goodbye.')}
                value={each.criterion}
                readOnly={!mayEdit}
                error={errorOf(`evaluations[${index}].criterion`)}
                onChange={(event) => change(index, { criterion: event.target.value })}
              />
              {mayEdit ? (
                <div>
                  <Button
                    aria-label={t('Remove criterion {index}', { index: index + 1 })}
                    onClick={() => replace(draft.filter((_, at) => at !== index))}
                  >
                    {t('Remove')}
                  </Button>
                </div>
              ) : null}
            </fieldset>
          ))}
          {mayEdit && draft.length < MOST ? (
            <div>
              <Button onClick={() => replace([...draft, { name: '', criterion: '' }])}>
                {t('Add criterion')}
              </Button>
            </div>
          ) : null}
        </>
      )}
    </EditCard>
  );
}
