import type { ReactNode } from 'react';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import type { Bind } from './bind.ts';
import { CallFormat } from './call-format.tsx';
import { codecChoices, type InstalledTrunk, type TrunkValues } from './trunk-values.ts';
import { t } from '../../words/words.ts';

/** The settings of a SIP trunk that most trunks leave as they are. */
export function MoreSettings({
  values,
  bind,
  trunk,
  isOpen,
  onToggle,
  onChange,
}: {
  values: TrunkValues;
  bind: Bind;
  trunk: InstalledTrunk | null;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  onChange: (change: Partial<TrunkValues>) => void;
}): ReactNode {
  const secretHeader = values.secretHeader.trim();
  return (
    <details
      open={isOpen}
      className="rounded-lg border border-line p-3"
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
      // The browser sends no form with a wrong field, and shows its message only at a field that can be seen.
      onInvalidCapture={() => onToggle(true)}
    >
      <summary className="cursor-pointer text-sm font-medium">{t('More settings')}</summary>
      <div className="mt-3 flex flex-col gap-4">
        <Ways bind={bind} />
        <TextField
          label={t('User of authentication')}
          autoComplete="off"
          hint={t('Empty: the user name.')}
          {...bind('authUsername')}
        />
        <CheckField
          label={t('Let the far side transfer calls (REFER)')}
          checked={values.acceptsRefer}
          onChange={({ target }) => onChange({ acceptsRefer: target.checked })}
        />
        <CheckField
          label={t('Have the far side join caller and target of a warm transfer')}
          checked={values.joinsByRefer}
          onChange={({ target }) => onChange({ joinsByRefer: target.checked })}
        />
        <Sources bind={bind} needsSecret={secretHeader !== '' && secretHeader !== trunk?.secret_header} />
        <CallFormat bind={bind} />
      </div>
    </details>
  );
}

function Ways({ bind }: { bind: Bind }): ReactNode {
  return (
    <>
      <TextArea
        label={t('Gateways, one a line')}
        rows={3}
        placeholder={t('sip:192.0.2.10 0 3')}
        hint={t(
          'Address, priority, weight and, if it has its own, transport. Without a line, calls go to the SIP address.',
        )}
        {...bind('gateways')}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <SelectField label={t('Transport')} {...bind('transport')}>
          <option value="">{t('That of the address, else UDP')}</option>
          <option value="udp">{t('UDP')}</option>
          <option value="tcp">{t('TCP')}</option>
          <option value="tls">{t('TLS')}</option>
        </SelectField>
        <SelectField label={t('Encryption of the audio')} {...bind('srtp')}>
          <option value="off">{t('None')}</option>
          <option value="optional">{t('SRTP where the carrier offers it')}</option>
          <option value="required">{t('SRTP always')}</option>
        </SelectField>
        <SelectField label={t('Codecs')} {...bind('codecs')}>
          {codecChoices(bind('codecs').value).map(([value, label]) => (
            <option key={value} value={value}>
              {t(label)}
            </option>
          ))}
        </SelectField>
      </div>
    </>
  );
}

function Sources({ bind, needsSecret }: { bind: Bind; needsSecret: boolean }): ReactNode {
  return (
    <>
      <TextArea
        label={t('Addresses that may call, one a line')}
        rows={2}
        hint={t('Beside those of the trunk: addresses and ranges such as 198.51.100.0/24.')}
        {...bind('allowedSources')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('Header of its calls to us')}
          placeholder={t('X-Telnyx-Token')}
          hint={t('For carriers whose addresses other customers share. Empty: none.')}
          {...bind('secretHeader')}
        />
        <TextField
          label={t('Secret in that header')}
          type="password"
          autoComplete="new-password"
          required={needsSecret}
          hint={needsSecret ? t('Calls without it are refused.') : t('Empty: the stored one stays.')}
          {...bind('secret')}
        />
      </div>
      <TextArea
        label={t('Addresses of its audio, one a line')}
        rows={2}
        hint={t('Empty: any.')}
        {...bind('mediaRanges')}
      />
    </>
  );
}
