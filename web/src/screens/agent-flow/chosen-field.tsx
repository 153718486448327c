import type { ReactNode } from 'react';
import { CheckField } from '../../ui/controls.tsx';
import { t } from '../../words/words.ts';

/** One of several things that a step may use. */
export interface Choice {
  readonly id: string;
  readonly name: string;
}

/** What a step uses of all that the assistant has. While everything is chosen, the step has no list of its own. */
export function ChosenField({
  label,
  choices,
  value,
  readOnly,
  onChange,
}: {
  label: string;
  choices: readonly Choice[];
  value: unknown;
  readOnly: boolean;
  onChange: (value: readonly string[] | undefined) => void;
}): ReactNode {
  const chosen = Array.isArray(value) ? value.map(String) : null;
  const unknown = (chosen ?? []).filter((id) => !choices.some((choice) => choice.id === id));
  const all = [...choices, ...unknown.map((id) => ({ id, name: id }))];
  const change = (id: string, isChosen: boolean): void => {
    const next = all
      .map((choice) => choice.id)
      .filter((each) => (each === id ? isChosen : (chosen?.includes(each) ?? true)));
    const isAll = next.length === choices.length && choices.every((choice) => next.includes(choice.id));
    onChange(isAll ? undefined : next);
  };
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {all.length === 0 ? <p className="text-sm text-muted">{t('The assistant has none.')}</p> : null}
      {all.map(({ id, name }) => (
        <CheckField
          key={id}
          label={name}
          checked={chosen?.includes(id) ?? true}
          readOnly={readOnly}
          onChange={({ target }) => change(id, target.checked)}
        />
      ))}
    </fieldset>
  );
}
