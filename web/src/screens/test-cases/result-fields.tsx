import type { ReactNode } from 'react';
import { Button, CheckField, TextArea, TextField } from '../../ui/controls.tsx';
import { PairsField } from '../../ui/pairs-field.tsx';
import type { ResultDraft } from './case-draft.ts';

/** The answer that a tool gives in a case instead of running. */
export function ResultFields({
  number,
  value,
  onChange,
  onRemove,
}: {
  number: number;
  value: ResultDraft;
  onChange: (change: Partial<ResultDraft>) => void;
  onRemove: () => void;
}): ReactNode {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-md border border-line p-4">
      <legend className="px-1 text-sm font-medium">Answer {number}</legend>
      <TextField
        label={`Tool of answer ${number}`}
        maxLength={100}
        value={value.tool}
        onChange={(event) => onChange({ tool: event.target.value })}
      />
      <TextField
        label={`Arguments for answer ${number}`}
        hint="As JSON, for calls with at least these. Empty: for every call."
        value={value.args}
        onChange={(event) => onChange({ args: event.target.value })}
      />
      <TextArea
        label={`What answer ${number} says`}
        rows={3}
        hint="JSON, or plain words."
        value={value.result}
        onChange={(event) => onChange({ result: event.target.value })}
      />
      <CheckField
        label="The tool worked"
        checked={value.ok}
        onChange={(event) => onChange({ ok: event.target.checked })}
      />
      <PairsField
        label="Variables that the answer sets"
        nameLabel="Variable"
        valueLabel="Value"
        pairs={value.variables}
        onChange={(variables) => onChange({ variables })}
      />
      <div>
        <Button aria-label={`Remove answer ${number}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </fieldset>
  );
}
