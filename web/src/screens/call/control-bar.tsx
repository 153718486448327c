import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';

const LONGEST = 500;

/** Tells the assistant of a live call something, gives it a sentence to say, and gives the call back to it. */
export function ControlBar({
  callId,
  isTaken,
  mayReturn,
}: {
  callId: string;
  /** Somebody talks in the assistant's place. */
  isTaken: boolean;
  /** They do not talk on this page, which has its own button for the way back. */
  mayReturn: boolean;
}): ReactNode {
  const control = useChange('controlCall');
  const [text, setText] = useState('');
  const send = (operation: 'whisper' | 'say'): void =>
    control.mutate({ call_id: callId, operation, text: text.trim() }, { onSuccess: () => setText('') });
  const isEmpty = text.trim() === '';
  const isBusy = control.isPending;
  return (
    <form
      aria-label="Control of the call"
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) send('whisper');
      }}
    >
      <TextField
        label="Words for the assistant"
        hint="A note is for the assistant alone. A sentence is said to the person in its voice."
        value={text}
        maxLength={LONGEST}
        onChange={(event) => setText(event.target.value)}
      />
      <span className="flex flex-wrap gap-2">
        <Button type="submit" disabled={isEmpty || isBusy}>
          Give as a note
        </Button>
        <Button disabled={isEmpty || isBusy || isTaken} onClick={() => send('say')}>
          Say it now
        </Button>
        {mayReturn ? (
          <Button busy={isBusy} onClick={() => control.mutate({ call_id: callId, operation: 'hand_back' })}>
            Give the call back to the assistant
          </Button>
        ) : null}
      </span>
      {control.isError ? <ErrorNote error={control.error} /> : null}
    </form>
  );
}
