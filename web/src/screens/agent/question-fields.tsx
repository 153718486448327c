import type { ReactNode } from 'react';
import { Button, SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import { linesOf } from '../../ui/lines.ts';
import { KEY_TYPES, type Question } from './client-analysis.ts';
import { t } from '../../words/words.ts';

/** One question of the client analysis. */
export function QuestionFields({
  number,
  question,
  readOnly,
  errorOf,
  onChange,
  onRemove,
}: {
  number: number;
  question: Question;
  readOnly: boolean;
  errorOf: (field: string) => string | undefined;
  onChange: (change: Partial<Question>) => void;
  onRemove: () => void;
}): ReactNode {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-md border border-line p-4">
      <legend className="px-1 text-sm font-medium">{t('Question {number}', { number })}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={t('Name of question {number}', { number })}
          required
          maxLength={100}
          value={question.name}
          readOnly={readOnly}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <SelectField
          label={t('Answer')}
          value={question.type}
          readOnly={readOnly}
          onChange={(event) => onChange({ type: event.target.value as Question['type'], preset: '' })}
        >
          {Object.entries(KEY_TYPES).map(([type, name]) => (
            <option key={type} value={type}>
              {t(name)}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField
        label={t('What question {number} asks', { number })}
        maxLength={1000}
        value={question.description}
        readOnly={readOnly}
        error={errorOf('description')}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      {question.type === 'enum' ? (
        <TextArea
          label={t('Values of question {number}, one a line', { number })}
          rows={3}
          value={question.values}
          readOnly={readOnly}
          error={errorOf('values')}
          onChange={(event) => onChange({ values: event.target.value })}
        />
      ) : null}
      <Preset question={question} readOnly={readOnly} error={errorOf('default')} onChange={onChange} />
      {readOnly ? null : (
        <div>
          <Button aria-label={t('Remove question {number}', { number })} onClick={onRemove}>
            {t('Remove')}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

const INPUT_TYPES = { number: 'number', date: 'date', string: 'text' } as const;

/** The answer of calls that give none. */
function Preset({
  question: { type, preset, values },
  readOnly,
  error,
  onChange,
}: {
  question: Question;
  readOnly: boolean;
  error: string | undefined;
  onChange: (change: Partial<Question>) => void;
}): ReactNode {
  const label = 'Answer if the call gives none';
  if (type === 'boolean' || type === 'enum') {
    const choices: readonly (readonly [value: string, name: string])[] =
      type === 'enum'
        ? linesOf(values).map((value) => [value, value])
        : [
            ['true', t('Yes')],
            ['false', t('No')],
          ];
    return (
      <SelectField
        label={label}
        value={choices.some(([value]) => value === preset) ? preset : ''}
        readOnly={readOnly}
        error={error}
        onChange={(event) => onChange({ preset: event.target.value })}
      >
        <option value="">{t('Unknown')}</option>
        {choices.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </SelectField>
    );
  }
  return (
    <TextField
      label={label}
      type={INPUT_TYPES[type]}
      {...(type === 'number' ? { step: 'any' } : {})}
      maxLength={1000}
      value={preset}
      readOnly={readOnly}
      hint={t('Empty: unknown.')}
      error={error}
      onChange={(event) => onChange({ preset: event.target.value })}
    />
  );
}
