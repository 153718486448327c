import type { ReactNode } from 'react';
import { Button, SelectField, TextArea } from '../../ui/controls.tsx';
import { CountedArea, lengthOf } from '../../ui/counted-area.tsx';
import { linesOf } from '../../ui/lines.ts';
import type { VersionProps } from './types.ts';
import { draftOf, NEW_QUESTION, problemOf, toRequest, type Question } from './client-analysis.ts';
import { EditCard } from './edit-card.tsx';
import { QuestionFields } from './question-fields.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

const CONTEXT_LIMIT = 5000;
const MAX_QUESTIONS = 50;

/** Questions about every call, answered after it, and the labels that calls are classified with. */
export function ClientAnalysisCard({
  labels,
  ...target
}: VersionProps & { labels: readonly string[] }): ReactNode {
  const form = useDraft(draftOf(target.version.client_analysis, labels), 'Questions about each call');
  const { draft, set } = form;
  const { questions } = draft;
  const change = (at: number, next: Partial<Question>): void =>
    set({ questions: questions.map((each, index) => (index === at ? { ...each, ...next } : each)) });
  const names = questions.map(({ name }) => name.trim()).filter((name) => name !== '');
  return (
    <EditCard
      title={t('Questions about each call')}
      intro={t(
        'They are answered from the transcript once a call has ended. Call details, webhooks and exports have the answers.',
      )}
      target={target}
      edit={{ operation: 'edit_client_analysis', ...toRequest(draft) }}
      form={form}
      problem={lengthOf(draft.context) > CONTEXT_LIMIT ? t('The background is too long.') : problemOf(draft)}
    >
      {(errorOf) => (
        <>
          <CountedArea
            label={t('Background')}
            limit={CONTEXT_LIMIT}
            rows={3}
            value={draft.context}
            readOnly={!target.mayEdit}
            hint={t('What an analyst should know about these calls.')}
            error={errorOf('context')}
            onChange={(event) => set({ context: event.target.value })}
          />
          {questions.length === 0 ? <p className="text-muted">{t('No questions are asked.')}</p> : null}
          {questions.map((question, index) => (
            <QuestionFields
              // A question has no other identity than its place.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              number={index + 1}
              question={question}
              readOnly={!target.mayEdit}
              errorOf={(field) => errorOf(`keys.${question.name.trim()}.${field}`)}
              onChange={(next) => change(index, next)}
              onRemove={() => set({ questions: questions.filter((_, at) => at !== index) })}
            />
          ))}
          {target.mayEdit && questions.length < MAX_QUESTIONS ? (
            <div>
              <Button onClick={() => set({ questions: [...questions, NEW_QUESTION] })}>
                {t('Add question')}
              </Button>
            </div>
          ) : null}
          <SelectField
            label={t('The goal of a call')}
            value={names.includes(draft.goal) ? draft.goal : ''}
            readOnly={!target.mayEdit}
            hint={t('The question whose answer says whether the call reached its goal.')}
            error={errorOf('goal_key')}
            onChange={(event) => set({ goal: event.target.value })}
          >
            <option value="">{t('None')}</option>
            {[...new Set(names)].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
          <TextArea
            label={t('Labels of calls, one a line')}
            rows={3}
            value={draft.labels}
            readOnly={!target.mayEdit}
            hint={t('{length} of 30. Every version uses them. Without any, calls get the usual labels.', {
              length: linesOf(draft.labels).length,
            })}
            error={errorOf('classification_labels')}
            onChange={(event) => set({ labels: event.target.value })}
          />
        </>
      )}
    </EditCard>
  );
}
