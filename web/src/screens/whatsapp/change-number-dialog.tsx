import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { CopyCurl, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

/** Changes name, account or secrets of a number. Empty secrets keep the stored ones. */
export function ChangeNumberDialog({
  number,
  onClose,
}: {
  number: Answer<'listWhatsappNumbers'>['whatsapp_numbers'][number];
  onClose: () => void;
}): ReactNode {
  const [name, setName] = useState(number.display_name);
  const [account, setAccount] = useState(number.business_account_id ?? '');
  const [token, setToken] = useState('');
  const [secret, setSecret] = useState('');
  const change = useChange('changeWhatsappNumber', ['listWhatsappNumbers', 'listWhatsappTemplates'], () =>
    t('{number} is changed.', { number: number.number }),
  );
  const input = {
    whatsapp_number_id: number.id,
    display_name: name,
    ...(account === '' ? {} : { business_account_id: account }),
    ...(token === '' ? {} : { access_token: token }),
    ...(secret === '' ? {} : { app_secret: secret }),
  };
  const errorOf = (field: string): string | undefined => change.error?.fields.get(field);
  const kept = { type: 'password', autoComplete: 'off', hint: t('Empty: the stored one stays.') };
  return (
    <Dialog title={t('Change {number}', { number: number.number })} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(input, { onSuccess: onClose });
        }}
      >
        <TextField
          label={t('Name')}
          maxLength={100}
          value={name}
          error={errorOf('display_name')}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label={t('WhatsApp Business account id')}
          inputMode="numeric"
          value={account}
          hint={t('The account that owns the templates. Empty: learnt from the first message to the number.')}
          error={errorOf('business_account_id')}
          onChange={(event) => setAccount(event.target.value.trim())}
        />
        <TextField
          label={t('Access token')}
          value={token}
          error={errorOf('access_token')}
          onChange={(event) => setToken(event.target.value.trim())}
          {...kept}
        />
        <TextField
          label={t('App secret')}
          value={secret}
          error={errorOf('app_secret')}
          onChange={(event) => setSecret(event.target.value.trim())}
          {...kept}
        />
        {change.isError ? <ErrorNote error={change.error} /> : null}
        <DialogActions
          action={t('Save number')}
          isBusy={change.isPending}
          curl={<CopyCurl operation="changeWhatsappNumber" input={input} />}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
