import type { ReactNode } from 'react';
import { Button, CheckField, SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import {
  endChoices,
  ENDS,
  EXPECTATIONS,
  ofType,
  withEnd,
  type ExpectationDraft,
  type ExpectationType,
  type FactDraft,
} from './scenario-draft.ts';
import { t } from '../../words/words.ts';

const replaced = <T,>(list: readonly T[], at: number, next: Partial<T>): T[] =>
  list.map((each, index) => (index === at ? { ...each, ...next } : each));

/** What the caller knows: words of a question, and the answer. */
export function FactFields({
  place,
  facts,
  onChange,
}: {
  place: number;
  facts: readonly FactDraft[];
  onChange: (facts: readonly FactDraft[]) => void;
}): ReactNode {
  return (
    <fieldset className="flex w-full min-w-0 flex-col items-start gap-3">
      <legend className="text-sm font-medium">{t('What caller {place} knows', { place })}</legend>
      {facts.map((fact, index) => (
        // A fact has no other identity than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="grid w-full items-end gap-4 sm:grid-cols-[1fr_1fr_auto]">
          <TextArea
            label={t('Asked, one wording a line ({place}.{index})', { place, index: index + 1 })}
            rows={2}
            value={fact.asked}
            onChange={(event) => onChange(replaced(facts, index, { asked: event.target.value }))}
          />
          <TextField
            label={t('Answers ({place}.{index})', { place, index: index + 1 })}
            maxLength={500}
            value={fact.says}
            onChange={(event) => onChange(replaced(facts, index, { says: event.target.value }))}
          />
          <Button
            aria-label={t('Remove fact {place}.{index}', { place, index: index + 1 })}
            onClick={() => onChange(facts.filter((_, at) => at !== index))}
          >
            {t('Remove')}
          </Button>
        </div>
      ))}
      <Button
        aria-label={t('Add a fact to scenario {place}', { place })}
        onClick={() => onChange([...facts, { asked: '', says: '' }])}
      >
        {t('Add a fact')}
      </Button>
    </fieldset>
  );
}

/** What must happen in the call. */
export function ExpectationFields({
  place,
  expectations,
  onChange,
}: {
  place: number;
  expectations: readonly ExpectationDraft[];
  onChange: (expectations: readonly ExpectationDraft[]) => void;
}): ReactNode {
  return (
    <fieldset className="flex w-full min-w-0 flex-col items-start gap-3">
      <legend className="text-sm font-medium">{t('Expectations of scenario {place}', { place })}</legend>
      {expectations.map((each, index) => (
        // An expectation has no other identity than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <div
          key={index}
          className={`grid w-full gap-4 sm:grid-cols-[1fr_1fr_auto] ${each.type === 'ends' ? 'items-start' : 'items-end'}`}
        >
          <SelectField
            label={t('Expectation {place}.{index}', { place, index: index + 1 })}
            value={each.type}
            onChange={(event) =>
              onChange(replaced(expectations, index, ofType(each, event.target.value as ExpectationType)))
            }
          >
            {Object.entries(EXPECTATIONS).map(([type, name]) => (
              <option key={type} value={type}>
                {t(name)}
              </option>
            ))}
          </SelectField>
          {each.type === 'ends' ? (
            <EndFields
              legend={t('Of expectation {place}.{index}', { place, index: index + 1 })}
              text={each.text}
              onChange={(text) => onChange(replaced(expectations, index, { text }))}
            />
          ) : (
            <TextArea
              label={t('Of expectation {place}.{index}', { place, index: index + 1 })}
              rows={2}
              required={each.type !== 'no_alarm'}
              disabled={each.type === 'no_alarm'}
              value={each.text}
              onChange={(event) => onChange(replaced(expectations, index, { text: event.target.value }))}
            />
          )}
          <Button
            aria-label={t('Remove expectation {place}.{index}', { place, index: index + 1 })}
            disabled={expectations.length === 1}
            onClick={() => onChange(expectations.filter((_, at) => at !== index))}
          >
            {t('Remove')}
          </Button>
        </div>
      ))}
      <Button
        aria-label={t('Add an expectation to scenario {place}', { place })}
        onClick={() => onChange([...expectations, { type: 'says', text: '' }])}
      >
        {t('Add an expectation')}
      </Button>
    </fieldset>
  );
}

/** How the call may end: any of these. `text` has the codes that the scenario stores, one a line. */
const EndFields = ({
  legend,
  text,
  onChange,
}: {
  legend: string;
  text: string;
  onChange: (text: string) => void;
}): ReactNode => (
  <fieldset className="flex min-w-0 flex-col gap-1">
    <legend className="mb-1 text-sm font-medium">{legend}</legend>
    {endChoices(text).map(([code, isChosen]) => (
      <CheckField
        key={code}
        label={ENDS[code] ?? code}
        checked={isChosen}
        onChange={({ target }) => onChange(withEnd(text, code, target.checked))}
      />
    ))}
  </fieldset>
);
