import type { ReactNode } from 'react';
import { Button, SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import {
  EXPECTATIONS,
  type ExpectationDraft,
  type ExpectationType,
  type FactDraft,
} from './scenario-draft.ts';

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
      <legend className="text-sm font-medium">What caller {place} knows</legend>
      {facts.map((fact, index) => (
        // A fact has no other identity than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="grid w-full items-end gap-4 sm:grid-cols-[1fr_1fr_auto]">
          <TextArea
            label={`Asked, one wording a line (${place}.${index + 1})`}
            rows={2}
            value={fact.asked}
            onChange={(event) => onChange(replaced(facts, index, { asked: event.target.value }))}
          />
          <TextField
            label={`Answers (${place}.${index + 1})`}
            maxLength={500}
            value={fact.says}
            onChange={(event) => onChange(replaced(facts, index, { says: event.target.value }))}
          />
          <Button
            aria-label={`Remove fact ${place}.${index + 1}`}
            onClick={() => onChange(facts.filter((_, at) => at !== index))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button
        aria-label={`Add a fact to scenario ${place}`}
        onClick={() => onChange([...facts, { asked: '', says: '' }])}
      >
        Add a fact
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
      <legend className="text-sm font-medium">Expectations of scenario {place}</legend>
      {expectations.map((each, index) => (
        // An expectation has no other identity than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="grid w-full items-end gap-4 sm:grid-cols-[1fr_1fr_auto]">
          <SelectField
            label={`Expectation ${place}.${index + 1}`}
            value={each.type}
            onChange={(event) =>
              onChange(replaced(expectations, index, { type: event.target.value as ExpectationType }))
            }
          >
            {Object.entries(EXPECTATIONS).map(([type, name]) => (
              <option key={type} value={type}>
                {name}
              </option>
            ))}
          </SelectField>
          <TextArea
            label={`Of expectation ${place}.${index + 1}`}
            rows={2}
            required={each.type !== 'no_alarm'}
            disabled={each.type === 'no_alarm'}
            value={each.text}
            onChange={(event) => onChange(replaced(expectations, index, { text: event.target.value }))}
          />
          <Button
            aria-label={`Remove expectation ${place}.${index + 1}`}
            disabled={expectations.length === 1}
            onClick={() => onChange(expectations.filter((_, at) => at !== index))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button
        aria-label={`Add an expectation to scenario ${place}`}
        onClick={() => onChange([...expectations, { type: 'says', text: '' }])}
      >
        Add an expectation
      </Button>
    </fieldset>
  );
}
