import { useState, type ReactNode } from 'react';
import { Button, TextField } from './controls.tsx';
import { t } from '../words/words.ts';

/** A filter by number or text, which applies when it is complete: with Enter or on leaving the field. */
export function SearchField({
  label,
  value,
  kind = 'tel',
  placeholder = '+14155550123',
  onApply,
}: {
  label: string;
  value: string;
  kind?: 'tel' | 'text';
  placeholder?: string;
  onApply: (value: string) => void;
}): ReactNode {
  const [text, setText] = useState(value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onApply(text.trim());
      }}
    >
      <TextField
        label={label}
        inputMode={kind}
        data-search
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => {
          if (text.trim() !== value) onApply(text.trim());
        }}
      />
      <span className="sr-only">
        <Button type="submit">{kind === 'tel' ? t('Apply the number') : t('Apply the text')}</Button>
      </span>
    </form>
  );
}
