import type { ReactNode } from 'react';
import { Button, CheckField, SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import { ENDS, type CaseEnd, type ExpectationDraft, type ExpectationType } from './case-draft.ts';
import { t } from '../../words/words.ts';

const TYPES: Readonly<Record<ExpectationType, string>> = {
  says: 'The assistant says',
  never_says: 'The assistant never says',
  calls_tool: 'It calls a tool',
  never_calls_tool: 'It never calls a tool',
  ends: 'How the conversation ends',
  criterion: 'A sentence that is true of the conversation',
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
      <legend className="px-1 text-sm font-medium">{t('Expectation {number}', { number })}</legend>
      <SelectField
        label={t('What expectation {number} demands', { number })}
        value={value.type}
        onChange={(event) => onChange({ type: event.target.value as ExpectationType })}
      >
        {Object.entries(TYPES).map(([type, text]) => (
          <option key={type} value={type}>
            {t(text)}
          </option>
        ))}
      </SelectField>
      <Details number={number} value={value} lines={lines} onChange={onChange} />
      <div>
        <Button aria-label={t('Remove expectation {number}', { number })} onClick={onRemove}>
          {t('Remove')}
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
        <legend className="mb-1 text-sm font-medium">{t('One of')}</legend>
        {(Object.keys(ENDS) as CaseEnd[]).map((end) => (
          <CheckField
            key={end}
            label={t(ENDS[end])}
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
        label={t('Sentence of expectation {number}', { number })}
        rows={2}
        maxLength={1000}
        placeholder={t('The assistant repeats the day before it says goodbye.')}
        hint={t('A language model judges it; without one only quoted words and tools are judged.')}
        value={value.criterion}
        onChange={(event) => onChange({ criterion: event.target.value })}
      />
    );
  }
  const where = (
    <SelectField
      label={t('Where expectation {number} applies', { number })}
      value={value.turn}
      onChange={(event) => onChange({ turn: event.target.value })}
    >
      <option value="">{t('Anywhere')}</option>
      <option value="0">{t('In the first message')}</option>
      {lines.map((line, index) => (
        // A line has no other identity than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <option key={index} value={index + 1}>
          {t('After line {index}: {value}', { index: index + 1, value: line.slice(0, 40) })}
        </option>
      ))}
    </SelectField>
  );
  if (value.type === 'says' || value.type === 'never_says') {
    return (
      <>
        <TextArea
          label={t('Words of expectation {number}', { number })}
          rows={2}
          hint={
            value.type === 'says'
              ? t('One phrase a line; one of them is enough.')
              : t('One phrase a line; none of them.')
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
        label={t('Tool of expectation {number}', { number })}
        maxLength={100}
        value={value.tool}
        onChange={(event) => onChange({ tool: event.target.value })}
      />
      <TextField
        label={t('Arguments of expectation {number}', { number })}
        hint={t('As JSON, only those that matter. Empty: any.')}
        placeholder='{"day": "Tuesday"}'
        value={value.args}
        onChange={(event) => onChange({ args: event.target.value })}
      />
      {where}
    </>
  );
}
