import type { ReactNode } from 'react';
import { t } from '../words/words.ts';

/** One of a few choices, side by side. `label` names the group for screen readers. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, name: string])[];
  onChange: (value: Value) => void;
}): ReactNode {
  return (
    <span
      role="group"
      aria-label={label}
      className="inline-flex overflow-hidden rounded-md border border-line bg-surface"
    >
      {options.map(([each, name]) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === value}
          className="min-h-control px-3 text-sm text-muted hover:bg-raised aria-pressed:bg-accent-tint aria-pressed:text-accent"
          onClick={() => onChange(each)}
        >
          {t(name)}
        </button>
      ))}
    </span>
  );
}
