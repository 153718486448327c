import type { ReactNode } from 'react';
import { TextArea, TextField } from '../../ui/controls.tsx';
import type { Bind } from './bind.ts';
import type { AccountLabels } from './carriers.ts';
import type { InstalledTrunk } from './trunk-values.ts';
import { t } from '../../words/words.ts';

/** The account at a carrier over WebSockets, with the carrier's own names. */
export function CarrierFields({
  labels,
  bind,
  trunk,
}: {
  labels: AccountLabels;
  bind: Bind;
  trunk: InstalledTrunk | null;
}): ReactNode {
  const secret = (isStored: boolean | undefined): string =>
    isStored === true ? t('Empty: the stored one stays.') : t('Stored encrypted.');
  const { uri, username, authUsername, password, signingKey, application } = labels;
  const passwordHint = secret(trunk?.has_password);
  return (
    <>
      <TextField label={t('Address of the API')} required placeholder={uri} {...bind('uri')} />
      <div className="grid gap-4 sm:grid-cols-2">
        {username === undefined ? null : (
          <TextField label={username} autoComplete="off" required {...bind('username')} />
        )}
        {authUsername === undefined ? null : (
          <TextField label={authUsername} autoComplete="off" required {...bind('authUsername')} />
        )}
        {password.startsWith('Private key') ? (
          <TextArea label={password} rows={3} hint={passwordHint} {...bind('password')} />
        ) : (
          <TextField
            label={password}
            type="password"
            autoComplete="new-password"
            hint={passwordHint}
            {...bind('password')}
          />
        )}
        {signingKey === undefined ? null : (
          <TextField
            label={signingKey}
            type="password"
            autoComplete="new-password"
            hint={secret(trunk?.has_signing_key)}
            {...bind('signingKey')}
          />
        )}
        {application === undefined ? null : (
          <TextField label={application} autoComplete="off" {...bind('application')} />
        )}
      </div>
    </>
  );
}
