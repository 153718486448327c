import { useState, type ReactNode } from 'react';
import { Button, TextField } from './controls.tsx';
import { Icon } from './icon.tsx';
import { t } from '../words/words.ts';

/** A filter by number or text, which applies when it is complete: with Enter or on leaving the field. */
export function SearchField({
  label,
  value,
  kind = 'tel',
  placeholder = '+14155550123',
  isBare = false,
  onApply,
}: {
  label: string;
  value: string;
  kind?: 'tel' | 'text';
  placeholder?: string;
  /** In a line with others: the field shows its label while it is empty. */
  isBare?: boolean;
  onApply: (value: string) => void;
}): ReactNode {
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  if (applied !== value) {
    setApplied(value);
    setText(value);
  }
  const wiring = {
    inputMode: kind,
    'data-search': true,
    value: text,
    onChange: ({ target }: { target: { value: string } }) => {
      setText(target.value);
      // The cross of the field empties it.
      if (isBare && target.value === '' && value !== '') onApply('');
    },
    onBlur: () => {
      if (text.trim() !== value) onApply(text.trim());
    },
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onApply(text.trim());
      }}
    >
      {isBare ? (
        <span className="flex min-h-control items-center gap-2 rounded-md border border-line bg-surface pl-2.5 text-muted has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
          <Icon name="search" />
          <input
            type="search"
            aria-label={label}
            placeholder={label}
            className="min-h-control min-w-0 grow rounded-md bg-transparent pr-2 text-sm text-ink outline-none! placeholder:text-muted"
            {...wiring}
          />
        </span>
      ) : (
        <TextField label={label} placeholder={placeholder} {...wiring} />
      )}
      <span className="sr-only">
        <Button type="submit">{kind === 'tel' ? t('Apply the number') : t('Apply the text')}</Button>
      </span>
    </form>
  );
}
