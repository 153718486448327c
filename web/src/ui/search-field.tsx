import { useState, type ReactNode } from 'react';
import { Button, TextField } from './controls.tsx';

/** A filter by number, which applies when it is complete: with Enter or on leaving the field. */
export function SearchField({
  label,
  value,
  onApply,
}: {
  label: string;
  value: string;
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
        inputMode="tel"
        data-search
        placeholder="+14155550123"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => {
          if (text.trim() !== value) onApply(text.trim());
        }}
      />
      <span className="sr-only">
        <Button type="submit">Apply the number</Button>
      </span>
    </form>
  );
}
