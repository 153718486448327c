import type { ReactNode } from 'react';
import { Button, TextField } from './controls.tsx';
import type { Pair } from './pairs.ts';
import { t, within } from '../words/words.ts';

/** Names with values, such as headers: each a line, with one to add. */
export function PairsField({
  label,
  nameLabel,
  valueLabel,
  pairs,
  readOnly = false,
  onChange,
}: {
  label: string;
  nameLabel: string;
  valueLabel: string;
  pairs: readonly Pair[];
  readOnly?: boolean;
  onChange: (pairs: readonly Pair[]) => void;
}): ReactNode {
  const change = (at: number, pair: Pair): void =>
    onChange(pairs.map((each, index) => (index === at ? pair : each)));
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {pairs.map(([name, value], index) => (
        // A line has no other identity than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="grid items-end gap-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]">
          <TextField
            label={nameLabel}
            value={name}
            readOnly={readOnly}
            onChange={(event) => change(index, [event.target.value, value])}
          />
          <TextField
            label={valueLabel}
            value={value}
            readOnly={readOnly}
            onChange={(event) => change(index, [name, event.target.value])}
          />
          {readOnly ? null : (
            <Button
              aria-label={t('Remove {name} {index}', {
                name: within(t(nameLabel)),
                index: index + 1,
              })}
              onClick={() => onChange(pairs.filter((_, at) => at !== index))}
            >
              {t('Remove')}
            </Button>
          )}
        </div>
      ))}
      {readOnly ? (
        pairs.length === 0 ? (
          <p className="text-sm text-muted">{t('None')}</p>
        ) : null
      ) : (
        <div>
          <Button onClick={() => onChange([...pairs, ['', '']])}>
            {t('Add {name}', { name: within(t(nameLabel)) })}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
