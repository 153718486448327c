import { useState, type FormEvent, type ReactNode } from 'react';
import type { Input } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { CheckField, CopyCurl, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

type KeyInput = Input<'makeKey'>;
type Scope = KeyInput['scopes'][number];

/** What each scope opens, in the order of the form. */
const SCOPES: Readonly<Record<Scope, string>> = {
  'agents:read': 'Read assistants, versions and test cases',
  'agents:write': 'Change assistants and run test cases',
  'calls:read': 'Read calls, recordings and transcripts',
  'calls:write': 'Place and end calls',
  'campaigns:read': 'Read campaigns and their contacts',
  'campaigns:write': 'Upload lists, start and stop campaigns',
  'chats:read': 'Read chats',
  'chats:write': 'Take chats over and write in them',
  'knowledge:read': 'Read and search knowledge bases',
  'knowledge:write': 'Change knowledge bases',
  'numbers:read': 'Read numbers, pools and the do-not-call list',
  'numbers:write': 'Change pools, WhatsApp numbers and the do-not-call list',
  'analytics:read': 'Read analytics',
  'webhooks:read': 'Read deliveries',
  'webhooks:write': 'Send deliveries again and test events',
  'workspace:read': 'Read the workspace, its credits and children',
  'workspace:write': 'Change vendors and their keys',
  'children:write': 'Make child workspaces, move credits and numbers',
  'audit:read': 'Read the audit log and API requests',
  'privacy:read': 'Read retention rules and erasures',
  'privacy:write': 'Set retention rules and erase data',
  'config:write': 'Change the settings of the workspace',
  'secrets:read': 'Read the webhook signing secret',
  'secrets:write': 'Rotate the webhook signing secret',
};

const listOf = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '');

/** Asks for the name, the scopes and the limits of a new named key. */
export function MakeKeyDialog({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (key: string) => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [expires, setExpires] = useState('');
  const [addresses, setAddresses] = useState('');
  const make = useChange('makeKey', ['listKeys']);
  const allowed = listOf(addresses);
  const input: KeyInput = {
    name,
    scopes: [...scopes],
    ...(expires === '' ? {} : { expires_at: expires }),
    ...(allowed.length === 0 ? {} : { allowed_addresses: allowed }),
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    make.mutate(input, {
      onSuccess: (answer) => {
        onMade(answer.api_key);
        onClose();
      },
    });
  };
  return (
    <Dialog title={t('New named key')} isWide onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        {make.isError ? <ErrorNote error={make.error} /> : null}
        <TextField
          label={t('Name')}
          hint={t('Of the program that uses it. The audit log shows it.')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={100}
          required
          autoFocus
        />
        <fieldset>
          <legend className="mb-2 font-medium">{t('What it may do')}</legend>
          <div className="grid max-h-72 gap-x-6 gap-y-1 overflow-y-auto sm:grid-cols-2">
            {(Object.keys(SCOPES) as Scope[]).map((scope) => (
              <CheckField
                key={scope}
                label={
                  <>
                    {SCOPES[scope]} <code className="block font-mono text-sm text-muted">{scope}</code>
                  </>
                }
                checked={scopes.includes(scope)}
                onChange={(event) =>
                  setScopes(
                    event.target.checked ? [...scopes, scope] : scopes.filter((each) => each !== scope),
                  )
                }
              />
            ))}
          </div>
        </fieldset>
        <TextField
          label={t('Last day')}
          hint={t('It expires at the end of this day (UTC). Empty: it does not expire.')}
          type="date"
          value={expires}
          onChange={(event) => setExpires(event.target.value)}
        />
        <TextField
          label={t('Addresses')}
          hint={t('IP addresses and ranges such as 203.0.113.0/24 from which it works. Empty: any.')}
          value={addresses}
          onChange={(event) => setAddresses(event.target.value)}
        />
        <DialogActions
          action={t('Make key')}
          isBusy={make.isPending}
          disabled={name.trim() === '' || scopes.length === 0}
          curl={<CopyCurl operation="makeKey" input={input} />}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
