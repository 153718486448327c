import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { PhoneField, usePhone } from '../../parts/phone-field.tsx';
import { Button, TextField } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const LONGEST_TEXT = 500;
const LONGEST_NAME = 100;

/** Invites somebody to a live call, beside the person and the assistant, and removes them. */
export function GuestBar({ callId, hasGuest }: { callId: string; hasGuest: boolean }): ReactNode {
  const invite = useChange('controlCall', [], () => t('The other phone rings.'));
  const remove = useChange('controlCall');
  const phone = usePhone();
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [isTried, setIsTried] = useState(false);
  if (hasGuest)
    return (
      <span>
        <Button
          busy={remove.isPending}
          onClick={() => remove.mutate({ call_id: callId, operation: 'remove' })}
        >
          {t('Remove the guest')}
        </Button>
        {remove.isError ? <ErrorNote error={remove.error} /> : null}
      </span>
    );
  return (
    <details>
      <summary className="cursor-pointer text-muted">{t('Invite somebody to the call')}</summary>
      <form
        aria-label={t('Invitation to the call')}
        className="mt-2 flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          setIsTried(true);
          if (phone.e164 === null) return;
          const [guest, briefing] = [name.trim(), text.trim()];
          invite.mutate({
            call_id: callId,
            operation: 'invite',
            invite_to: phone.e164,
            ...(guest === '' ? {} : { invite_name: guest }),
            ...(briefing === '' ? {} : { text: briefing }),
          });
        }}
      >
        <PhoneField label={t('Number of the guest')} phone={phone} isTried={isTried} error={undefined} />
        <TextField
          label={t('Name of the guest')}
          hint={t('The transcript has it beside their words.')}
          value={name}
          maxLength={LONGEST_NAME}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label={t('What the guest hears first')}
          hint={t('Then the three hear each other, and the assistant goes on with the person.')}
          value={text}
          maxLength={LONGEST_TEXT}
          onChange={(event) => setText(event.target.value)}
        />
        <span>
          <Button type="submit" busy={invite.isPending}>
            {t('Ring and invite')}
          </Button>
        </span>
        {invite.isError ? <ErrorNote error={invite.error} /> : null}
      </form>
    </details>
  );
}
