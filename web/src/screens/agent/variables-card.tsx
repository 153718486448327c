import type { ReactNode } from 'react';
import { Button } from '../../ui/controls.tsx';
import { Badge } from '../../ui/page.tsx';
import { CALL_VARIABLES } from '../../parts/prompt-variables.ts';
import type { VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { ListField } from './list-field.tsx';
import { undeclaredIn, usedIn } from './undeclared.ts';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

/** The variables that calls bring, beside those that the texts use. */
export function VariablesCard({ agentType, ...target }: VersionProps & { agentType: string }): ReactNode {
  const { version, mayEdit } = target;
  const form = useDraft(version.agent_config.custom_variables, 'Variables');
  const { draft, replace } = form;
  const used = usedIn(version);
  const missing = undeclaredIn(version, draft);
  const isKept = (each: string): boolean => agentType !== 'inbound' && CALL_VARIABLES.includes(each);
  const add = (each: string): void => replace([...draft, each]);
  return (
    <EditCard
      title={t('Variables')}
      intro={t('A call brings a value for each. Texts use them as {{name}}.')}
      target={target}
      edit={{ operation: 'edit_custom_vars', custom_variables: draft }}
      form={form}
    >
      {(errorOf) => (
        <>
          {missing.length === 0 ? null : (
            <div role="group" aria-label={t('Undeclared variables')} className="flex flex-col gap-2">
              <p className="text-sm text-bad">
                {t('These are used but not declared: a call without them speaks a gap.')}
              </p>
              <ul className="flex flex-wrap gap-2">
                {missing.map((each) => (
                  <li key={each} className="flex items-center gap-2">
                    <Badge tone="bad">{each}</Badge>
                    {mayEdit ? (
                      <Button aria-label={t('Declare {each}', { each })} onClick={() => add(each)}>
                        {t('Declare')}
                      </Button>
                    ) : null}
                  </li>
                ))}
              </ul>
            </div>
          )}
          <ListField
            label={t('Declared variables')}
            items={draft}
            noteOf={(each) =>
              used.includes(each) ? (
                <Badge tone="good">{t('Used')}</Badge>
              ) : (
                <Badge>{isKept(each) ? t('Always there') : t('Not used in the texts')}</Badge>
              )
            }
            isFixed={isKept}
            readOnly={!mayEdit}
            onRemove={(each) => replace(draft.filter((other) => other !== each))}
            adding={{
              label: t('Another variable'),
              action: 'Add variable',
              maxLength: 100,
              error: errorOf('custom_variables'),
              read: (text) => (text.trim() === '' || /[{}]/.test(text) ? null : text.trim()),
              problem: 'Is a name without braces.',
              onAdd: add,
            }}
          />
        </>
      )}
    </EditCard>
  );
}
