import type { ReactNode } from 'react';
import { Button, CheckField, TextArea, TextField } from '../../ui/controls.tsx';
import { PairsField } from '../../ui/pairs-field.tsx';
import type { ResultDraft } from './case-draft.ts';
import { t } from '../../words/words.ts';

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
      <legend className="px-1 text-sm font-medium">{t('Answer {number}', { number })}</legend>
      <TextField
        label={t('Tool of answer {number}', { number })}
        maxLength={100}
        value={value.tool}
        onChange={(event) => onChange({ tool: event.target.value })}
      />
      <TextField
        label={t('Arguments for answer {number}', { number })}
        hint={t('As JSON, for calls with at least these. Empty: for every call.')}
        value={value.args}
        onChange={(event) => onChange({ args: event.target.value })}
      />
      <TextArea
        label={t('What answer {number} says', { number })}
        rows={3}
        hint={t('JSON, or plain words.')}
        value={value.result}
        onChange={(event) => onChange({ result: event.target.value })}
      />
      <CheckField
        label={t('The tool worked')}
        checked={value.ok}
        onChange={(event) => onChange({ ok: event.target.checked })}
      />
      <PairsField
        label={t('Variables that the answer sets')}
        nameLabel={t('Variable')}
        valueLabel={t('Value')}
        pairs={value.variables}
        onChange={(variables) => onChange({ variables })}
      />
      <div>
        <Button aria-label={t('Remove answer {number}', { number })} onClick={onRemove}>
          {t('Remove')}
        </Button>
      </div>
    </fieldset>
  );
}
