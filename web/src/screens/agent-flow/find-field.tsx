import { useState, type ReactNode } from 'react';
import { TextField } from '../../ui/controls.tsx';
import { findStep } from './find-step.ts';
import type { FlowDocument } from './flow-document.ts';
import { t } from '../../words/words.ts';

/** Finds the next step that contains a text: while one types, and the one after it by Enter. */
export function FindField({
  flow,
  from,
  onFound,
}: {
  flow: FlowDocument;
  from: number;
  onFound: (place: number) => void;
}): ReactNode {
  const [text, setText] = useState('');
  const isMissing = text.trim() !== '' && findStep(flow, text, from) === null;
  const find = (wanted: string, behind: number): void => {
    const place = findStep(flow, wanted, behind);
    if (place !== null) onFound(place);
  };
  return (
    <TextField
      type="search"
      label={t('Find a step')}
      value={text}
      error={isMissing ? t('No step contains this.') : undefined}
      onChange={(event) => {
        setText(event.target.value);
        // The selected step stays while it fits.
        find(event.target.value, from - 1);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        find(text, from);
      }}
    />
  );
}
