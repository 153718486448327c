import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { DraftNotice } from '../../drafts/draft-notice.tsx';
import { DraftScope, useDraft } from '../../drafts/use-draft.ts';
import { Button, CopyCurl, TextArea, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { linesOf } from '../../ui/lines.ts';
import { ErrorNote } from '../../ui/page.tsx';
import { PairsField } from '../../ui/pairs-field.tsx';
import { definitionOf, draftOf, NEW_RESULT, newExpectation, type Definition } from './case-draft.ts';
import { ExpectationFields } from './expectation-fields.tsx';
import { ResultFields } from './result-fields.tsx';
import { t } from '../../words/words.ts';

const AFFECTED = ['listTestCases'] as const;
const MOST_EXPECTATIONS = 30;
const MOST_RESULTS = 20;

interface CaseProps {
  agentId: string;
  /** Absent: a new case. */
  caseId?: string;
  /** The conversation that a new case is saved from. */
  source?: { readonly call_id?: string; readonly chat_id?: string };
  note?: ReactNode;
  begin: Definition;
  onClose: () => void;
}

/** Writes a test case: a new one, or one that is saved. */
export function CaseDialog(props: CaseProps): ReactNode {
  const { agentId, caseId = 'new', source } = props;
  const [scope] = useState(() => ['case', agentId, caseId, source?.call_id ?? source?.chat_id ?? '']);
  return (
    <DraftScope value={scope}>
      <CaseForm {...props} />
    </DraftScope>
  );
}

function CaseForm({ agentId, caseId, source, note, begin, onClose }: CaseProps): ReactNode {
  const form = useDraft(draftOf(begin), caseId === undefined ? t('New test case') : t('Test case'));
  const { draft, set } = form;
  const said = ({ name = t('without a name') }: { name?: string }): string => {
    form.stored();
    return t('The test case “{name}” is saved.', { name });
  };
  const create = useChange('createTestCase', AFFECTED, said);
  const change = useChange('changeTestCase', AFFECTED, said);
  const made = definitionOf(draft);
  const problem = 'problem' in made ? made.problem : null;
  const definition = 'definition' in made ? made.definition : begin;
  const save = caseId === undefined ? create : change;
  const send = (): void => {
    const onSuccess = (): void => {
      form.done();
      onClose();
    };
    if (caseId === undefined) create.mutate({ agent_id: agentId, ...source, ...definition }, { onSuccess });
    else change.mutate({ agent_id: agentId, case_id: caseId, ...definition }, { onSuccess });
  };
  const replace = <T,>(list: readonly T[], at: number, next: Partial<T>): T[] =>
    list.map((each, index) => (index === at ? { ...each, ...next } : each));
  return (
    <Dialog
      title={caseId === undefined ? t('Save as test case') : t('Edit test case')}
      isWide
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === null) send();
        }}
      >
        <DraftNotice form={form} />
        {note === undefined ? null : <p className="text-muted">{note}</p>}
        <TextField
          label={t('Name')}
          required
          maxLength={100}
          value={draft.name}
          onChange={(event) => set({ name: event.target.value })}
        />
        <TextArea
          label={t('What the caller says')}
          rows={Math.min(12, Math.max(4, draft.lines.split('\n').length + 1))}
          hint={t('One line for each turn of the caller. The assistant speaks first and answers each.')}
          value={draft.lines}
          onChange={(event) => set({ lines: event.target.value })}
        />
        <PairsField
          label={t('Variables')}
          nameLabel={t('Variable')}
          valueLabel={t('Value')}
          pairs={draft.variables}
          onChange={(variables) => set({ variables })}
        />
        <section aria-label={t('Expectations')} className="flex flex-col gap-3">
          <h3 className="text-sm font-medium">{t('What the assistant must do')}</h3>
          {draft.expectations.map((each, index) => (
            <ExpectationFields
              // An expectation has no other identity than its place.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              number={index + 1}
              value={each}
              lines={linesOf(draft.lines)}
              onChange={(next) => set({ expectations: replace(draft.expectations, index, next) })}
              onRemove={() => set({ expectations: draft.expectations.filter((_, at) => at !== index) })}
            />
          ))}
          {draft.expectations.length < MOST_EXPECTATIONS ? (
            <div>
              <Button onClick={() => set({ expectations: [...draft.expectations, newExpectation('says')] })}>
                {t('Add expectation')}
              </Button>
            </div>
          ) : null}
        </section>
        <section aria-label={t('Answers of tools')} className="flex flex-col gap-3">
          <h3 className="text-sm font-medium">{t('Answers of tools')}</h3>
          <p className="text-sm text-muted">
            {t('A tool with an answer here is not called in a test, so that nothing reaches your systems.')}
          </p>
          {draft.results.map((each, index) => (
            <ResultFields
              // An answer has no other identity than its place.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              number={index + 1}
              value={each}
              onChange={(next) => set({ results: replace(draft.results, index, next) })}
              onRemove={() => set({ results: draft.results.filter((_, at) => at !== index) })}
            />
          ))}
          {draft.results.length < MOST_RESULTS ? (
            <div>
              <Button onClick={() => set({ results: [...draft.results, NEW_RESULT] })}>
                {t('Add answer')}
              </Button>
            </div>
          ) : null}
        </section>
        {save.isError ? <ErrorNote error={save.error} /> : null}
        <p role="status" className="min-h-5 text-sm text-bad">
          {problem ?? ''}
        </p>
        <DialogActions
          action={t('Save test case')}
          isBusy={save.isPending}
          disabled={problem !== null}
          curl={
            caseId === undefined ? (
              <CopyCurl operation="createTestCase" input={{ agent_id: agentId, ...source, ...definition }} />
            ) : (
              <CopyCurl
                operation="changeTestCase"
                input={{ agent_id: agentId, case_id: caseId, ...definition }}
              />
            )
          }
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
