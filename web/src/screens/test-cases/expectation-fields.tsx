import type { ReactNode } from 'react';
import { Button, CheckField, SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import type { CaseEnd, ExpectationDraft, ExpectationType } from './case-draft.ts';

const TYPES: Readonly<Record<ExpectationType, string>> = {
  says: 'The assistant says',
  never_says: 'The assistant never says',
  calls_tool: 'It calls a tool',
  never_calls_tool: 'It never calls a tool',
  ends: 'How the conversation ends',
  criterion: 'A sentence that is true of the conversation',
};
const ENDS: Readonly<Record<CaseEnd, string>> = {
  AGENT_ENDED: 'The assistant hangs up',
  CALL_TRANSFERRED: 'It transfers the caller',
  OPTED_OUT: 'It opts the caller out',
  OPEN: 'It goes on',
};

/** One expectation of a case. */
export function ExpectationFields({
  number,
  value,
  lines,
  onChange,
  onRemove,
}: {
  number: number;
  value: ExpectationDraft;
  /** The caller's lines, to choose one. */
  lines: readonly string[];
  onChange: (change: Partial<ExpectationDraft>) => void;
  onRemove: () => void;
}): ReactNode {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-md border border-line p-4">
      <legend className="px-1 text-sm font-medium">Expectation {number}</legend>
      <SelectField
        label={`What expectation ${number} demands`}
        value={value.type}
        onChange={(event) => onChange({ type: event.target.value as ExpectationType })}
      >
        {Object.entries(TYPES).map(([type, text]) => (
          <option key={type} value={type}>
            {text}
          </option>
        ))}
      </SelectField>
      <Details number={number} value={value} lines={lines} onChange={onChange} />
      <div>
        <Button aria-label={`Remove expectation ${number}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </fieldset>
  );
}

function Details({
  number,
  value,
  lines,
  onChange,
}: Pick<Parameters<typeof ExpectationFields>[0], 'number' | 'value' | 'lines' | 'onChange'>): ReactNode {
  if (value.type === 'ends') {
    return (
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-sm font-medium">One of</legend>
        {(Object.keys(ENDS) as CaseEnd[]).map((end) => (
          <CheckField
            key={end}
            label={ENDS[end]}
            checked={value.ends.includes(end)}
            onChange={({ target }) =>
              onChange({
                ends: target.checked ? [...value.ends, end] : value.ends.filter((other) => other !== end),
              })
            }
          />
        ))}
      </fieldset>
    );
  }
  if (value.type === 'criterion') {
    return (
      <TextArea
        label={`Sentence of expectation ${number}`}
        rows={2}
        maxLength={1000}
        placeholder="The assistant repeats the day before it says goodbye."
        hint="A language model judges it; without one only quoted words and tools are judged."
        value={value.criterion}
        onChange={(event) => onChange({ criterion: event.target.value })}
      />
    );
  }
  const where = (
    <SelectField
      label={`Where expectation ${number} holds`}
      value={value.turn}
      onChange={(event) => onChange({ turn: event.target.value })}
    >
      <option value="">Anywhere</option>
      <option value="0">In the first message</option>
      {lines.map((line, index) => (
        // A line has no other identity than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <option key={index} value={index + 1}>
          {`After line ${index + 1}: ${line.slice(0, 40)}`}
        </option>
      ))}
    </SelectField>
  );
  if (value.type === 'says' || value.type === 'never_says') {
    return (
      <>
        <TextArea
          label={`Words of expectation ${number}`}
          rows={2}
          hint={
            value.type === 'says'
              ? 'One phrase a line; one of them is enough.'
              : 'One phrase a line; none of them.'
          }
          value={value.phrases}
          onChange={(event) => onChange({ phrases: event.target.value })}
        />
        {where}
      </>
    );
  }
  return (
    <>
      <TextField
        label={`Tool of expectation ${number}`}
        maxLength={100}
        value={value.tool}
        onChange={(event) => onChange({ tool: event.target.value })}
      />
      <TextField
        label={`Arguments of expectation ${number}`}
        hint="As JSON, only those that matter. Empty: any."
        placeholder='{"day": "Tuesday"}'
        value={value.args}
        onChange={(event) => onChange({ args: event.target.value })}
      />
      {where}
    </>
  );
}
