import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { CheckField } from '../../ui/controls.tsx';
import { t } from '../../words/words.ts';

export type FreeNumber = Answer<'listNumbers'>['workspace_numbers'][number];

/** Chooses among the numbers that are in no pool. */
export function NumberChoice({
  legend,
  free,
  chosen,
  onChange,
}: {
  legend: string;
  free: readonly FreeNumber[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}): ReactNode {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {free.length === 0 ? <p className="text-muted">{t('Every number is in a pool already.')}</p> : null}
      {free.map((number) => (
        <CheckField
          key={number.id}
          label={
            <>
              <span className="tabular-nums">{number.number}</span>{' '}
              <span className="text-muted">{number.display_name}</span>
            </>
          }
          checked={chosen.includes(number.id)}
          onChange={(event) =>
            onChange(event.target.checked ? [...chosen, number.id] : chosen.filter((id) => id !== number.id))
          }
        />
      ))}
    </fieldset>
  );
}
