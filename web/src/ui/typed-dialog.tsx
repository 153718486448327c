import { useState, type ReactNode } from 'react';
import type { ApiFailure } from '../api/client.ts';
import { TextField } from './controls.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { ErrorNote } from './page.tsx';
import { t } from '../words/words.ts';

/** Asks before an action of wide effect: its button works once `word` is typed. */
export function TypedDialog({
  title,
  word,
  label = t('Type “{word}”', { word }),
  hint,
  action,
  isBusy,
  error,
  curl,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  word: string;
  label?: string;
  hint?: string;
  /** The label of the button. */
  action: string;
  isBusy: boolean;
  error: ApiFailure | null;
  curl: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}): ReactNode {
  const [typed, setTyped] = useState('');
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        {children}
        <TextField
          label={label}
          hint={hint}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions
          action={action}
          look="danger"
          isBusy={isBusy}
          disabled={typed.trim() !== word.trim()}
          curl={curl}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
