import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { Button, CheckField, CopyCurl, SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { DETECTOR_NAMES } from '../call/detector-names.ts';
import { RULES, toCriterion, toDraft, type CriterionDraft, type Rule } from './scorecard-rules.ts';
import { t } from '../../words/words.ts';

const MOST = 30;
const NEW: CriterionDraft = { name: '', points: '10', rule: 'no_finding', text: 'dead_air' };

type Scorecard = Answer<'getScorecard'>['scorecard'];
interface ScorecardDraft {
  readonly criteria: readonly CriterionDraft[];
  readonly percent: string;
  readonly withFindings: boolean;
}
const draftOf = (scorecard: Scorecard): ScorecardDraft => ({
  criteria: (scorecard?.criteria ?? []).map(toDraft),
  percent: String(scorecard?.percent ?? 100),
  withFindings: scorecard?.with_findings ?? true,
});

/** What the calls of an assistant are scored by. */
export function ScorecardTab({ agentId, mayEdit }: { agentId: string; mayEdit: boolean }): ReactNode {
  const read = useRead('getScorecard', { agent_id: agentId });
  return (
    <Loaded read={read}>
      {({ scorecard }) => <ScorecardForm agentId={agentId} scorecard={scorecard} mayEdit={mayEdit} />}
    </Loaded>
  );
}

function ScorecardForm({
  agentId,
  scorecard,
  mayEdit,
}: {
  agentId: string;
  scorecard: Scorecard;
  mayEdit: boolean;
}): ReactNode {
  // Null: nothing was typed, and the form follows what is stored.
  const [typed, setTyped] = useState<ScorecardDraft | null>(null);
  const draft = typed ?? draftOf(scorecard);
  const { criteria, percent, withFindings } = draft;
  const set = (next: Partial<ScorecardDraft>): void => setTyped({ ...draft, ...next });
  const save = useChange('setScorecard', ['getScorecard'], () =>
    t('Calls that end from now on are scored by it.'),
  );
  const change = (at: number, next: Partial<CriterionDraft>): void =>
    set({ criteria: criteria.map((each, index) => (index === at ? { ...each, ...next } : each)) });
  const input = {
    agent_id: agentId,
    criteria: criteria.map(toCriterion),
    percent: Number(percent),
    with_findings: withFindings,
  };
  return (
    <Card
      title={
        scorecard === null
          ? t('Scorecard')
          : t('Scorecard, version {version}', { version: scorecard.version })
      }
    >
      <form
        className="flex flex-col items-start gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(input, { onSuccess: () => setTyped(afterSending(typed, null)) });
        }}
      >
        <p className="max-w-prose text-muted">
          {t(
            'Each call earns the points of the criteria that it meets; the score is their share, from 0 to 100. Criteria of the analysis are judged by the model if there is one, else by rules.',
          )}
        </p>
        {criteria.map((each, index) => (
          <CriterionFields
            // A criterion has no other identity than its place.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            place={index + 1}
            draft={each}
            mayEdit={mayEdit}
            onChange={(next) => change(index, next)}
            onRemove={() => set({ criteria: criteria.filter((_, at) => at !== index) })}
          />
        ))}
        {mayEdit && criteria.length < MOST ? (
          <Button onClick={() => set({ criteria: [...criteria, NEW] })}>{t('Add a scored criterion')}</Button>
        ) : null}
        <TextField
          label={t('Share of checked calls (%)')}
          type="number"
          min={0}
          max={100}
          value={percent}
          readOnly={!mayEdit}
          onChange={(event) => set({ percent: event.target.value })}
        />
        <CheckField
          label={t('Score every call in which a detector found something')}
          checked={withFindings}
          readOnly={!mayEdit}
          onChange={(event) => set({ withFindings: event.target.checked })}
        />
        {save.isError ? <ErrorNote error={save.error} /> : null}
        {mayEdit ? (
          <div className="flex flex-wrap gap-2">
            <Button type="submit" look="primary" busy={save.isPending}>
              {t('Save the scorecard')}
            </Button>
            <CopyCurl operation="setScorecard" input={input} />
          </div>
        ) : null}
      </form>
    </Card>
  );
}

function CriterionFields({
  place,
  draft,
  mayEdit,
  onChange,
  onRemove,
}: {
  place: number;
  draft: CriterionDraft;
  mayEdit: boolean;
  onChange: (next: Partial<CriterionDraft>) => void;
  onRemove: () => void;
}): ReactNode {
  return (
    <fieldset className="flex w-full min-w-0 flex-col gap-3 rounded-md border border-line p-4">
      <legend className="px-1 text-sm font-medium">{t('Scored criterion {place}', { place })}</legend>
      <div className="grid w-full gap-4 sm:grid-cols-3">
        <TextField
          label={t('Name of scored criterion {place}', { place })}
          required
          maxLength={80}
          value={draft.name}
          readOnly={!mayEdit}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <TextField
          label={t('Points of scored criterion {place}', { place })}
          type="number"
          required
          min={1}
          max={100}
          value={draft.points}
          readOnly={!mayEdit}
          onChange={(event) => onChange({ points: event.target.value })}
        />
        <SelectField
          label={t('Rule of scored criterion {place}', { place })}
          value={draft.rule}
          readOnly={!mayEdit}
          onChange={(event) => {
            const rule = event.target.value as Rule;
            onChange({ rule, text: rule === 'no_finding' ? 'dead_air' : '' });
          }}
        >
          {Object.entries(RULES).map(([rule, { name }]) => (
            <option key={rule} value={rule}>
              {t(name)}
            </option>
          ))}
        </SelectField>
      </div>
      {draft.rule === 'no_finding' ? (
        <SelectField
          label={`${t(RULES[draft.rule].asks)} (${place})`}
          value={draft.text}
          readOnly={!mayEdit}
          onChange={(event) => onChange({ text: event.target.value })}
        >
          {Object.entries(DETECTOR_NAMES).map(([detector, name]) => (
            <option key={detector} value={detector}>
              {t(name)}
            </option>
          ))}
        </SelectField>
      ) : (
        <TextArea
          label={`${t(RULES[draft.rule].asks)} (${place})`}
          rows={2}
          required
          value={draft.text}
          readOnly={!mayEdit}
          onChange={(event) => onChange({ text: event.target.value })}
        />
      )}
      {mayEdit ? (
        <div>
          <Button aria-label={t('Remove scored criterion {place}', { place })} onClick={onRemove}>
            {t('Remove')}
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
}
