import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { PhoneField, usePhone } from '../../parts/phone-field.tsx';
import { Button, TextField } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

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
    control.mutate(
      { call_id: callId, operation, text: text.trim() },
      { onSuccess: () => setText(afterSending(text, '')) },
    );
  const isEmpty = text.trim() === '';
  const isBusy = control.isPending;
  return (
    <form
      aria-label={t('Control of the call')}
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) send('whisper');
      }}
    >
      <TextField
        label={t('Words for the assistant')}
        hint={t('A note is for the assistant alone. A sentence is said to the person in its voice.')}
        value={text}
        maxLength={LONGEST}
        onChange={(event) => setText(event.target.value)}
      />
      <span className="flex flex-wrap gap-2">
        <Button type="submit" disabled={isEmpty || isBusy}>
          {t('Give as a note')}
        </Button>
        <Button disabled={isEmpty || isBusy || isTaken} onClick={() => send('say')}>
          {t('Say it now')}
        </Button>
        {mayReturn ? (
          <Button busy={isBusy} onClick={() => control.mutate({ call_id: callId, operation: 'hand_back' })}>
            {t('Give the call back to the assistant')}
          </Button>
        ) : null}
      </span>
      {control.isError ? <ErrorNote error={control.error} /> : null}
    </form>
  );
}

/** Connects the person of a live call to somebody else. */
export function TransferBar({ callId }: { callId: string }): ReactNode {
  const control = useChange('controlCall', [], () => t('The other phone rings.'));
  const phone = usePhone();
  const [text, setText] = useState('');
  const [isTried, setIsTried] = useState(false);
  return (
    <details>
      <summary className="cursor-pointer text-muted">{t('Transfer the call')}</summary>
      <form
        aria-label={t('Transfer of the call')}
        className="mt-2 flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          setIsTried(true);
          if (phone.e164 === null) return;
          const briefing = text.trim();
          control.mutate({
            call_id: callId,
            operation: 'transfer',
            transfer_to: phone.e164,
            ...(briefing === '' ? {} : { text: briefing }),
          });
        }}
      >
        <PhoneField label={t('Number of the colleague')} phone={phone} isTried={isTried} error={undefined} />
        <TextField
          label={t('What the colleague hears first')}
          hint={t('The assistant says it before the two are connected. It stays with the person until then.')}
          value={text}
          maxLength={LONGEST}
          onChange={(event) => setText(event.target.value)}
        />
        <span>
          <Button type="submit" busy={control.isPending}>
            {t('Ring and connect')}
          </Button>
        </span>
        {control.isError ? <ErrorNote error={control.error} /> : null}
      </form>
    </details>
  );
}
