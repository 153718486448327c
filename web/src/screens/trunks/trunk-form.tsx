import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { CheckField, CopyCurl, SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import type { Bind } from './bind.ts';
import { CarrierFields } from './carrier-fields.tsx';
import { ACCOUNT_LABELS, CARRIER_KINDS, KIND_NAMES, type TrunkKind } from './carriers.ts';
import { PRESETS, withPreset } from './presets.ts';
import { codecChoices, inputOf, type InstalledTrunk, valuesOf } from './trunk-values.ts';
import { t } from '../../words/words.ts';

/** Creates a trunk, or changes `trunk`. */
export function TrunkForm({
  trunk,
  onClose,
}: {
  trunk: InstalledTrunk | null;
  onClose: () => void;
}): ReactNode {
  const [values, setValues] = useState(() => valuesOf(trunk));
  const [preset, setPreset] = useState('');
  const save = useChange('saveTrunk', ['listTrunkSettings', 'listTrunks'], (_, { message }) => `${message}.`);
  const bind: Bind = (key) => ({
    value: values[key],
    onChange: (event) => setValues({ ...values, [key]: event.target.value }),
  });
  const input = inputOf(values, trunk);
  const { password: _, signing_key: __, inbound_secret: ___, ...shown } = input;
  const secretHeader = values.secretHeader.trim();
  const labels = values.kind === 'sip' ? null : ACCOUNT_LABELS[values.kind];
  return (
    <Dialog
      title={trunk === null ? t('Add a trunk') : t('Change {name}', { name: trunk.name })}
      isWide
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(input, { onSuccess: onClose });
        }}
      >
        {trunk === null ? (
          <SelectField
            label={t('How it connects')}
            value={values.kind}
            onChange={({ target }) => {
              const kind = target.value as TrunkKind;
              setValues({ ...values, kind, uri: kind === 'sip' ? '' : ACCOUNT_LABELS[kind].uri });
            }}
          >
            <option value="sip">{t('SIP')}</option>
            {CARRIER_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {t(KIND_NAMES[kind])}
              </option>
            ))}
          </SelectField>
        ) : null}
        {trunk === null && labels === null ? (
          <SelectField
            label={t('Carrier')}
            value={preset}
            hint={
              PRESETS.find(({ id }) => id === preset)?.advice ??
              t('Choosing a carrier fills in its settings.')
            }
            onChange={({ target }) => {
              setPreset(target.value);
              setValues(withPreset(values, target.value));
            }}
          >
            <option value="">{t('Another carrier')}</option>
            {PRESETS.map(({ id, name }) => (
              <option key={id} value={id}>
                {t(name)}
              </option>
            ))}
          </SelectField>
        ) : null}
        {trunk === null ? (
          <TextField
            label={t('Name')}
            required
            maxLength={100}
            hint={t('Numbers refer to the trunk by this name.')}
            {...bind('name')}
          />
        ) : null}
        {labels === null ? (
          <>
            <Address bind={bind} />
            <Account bind={bind} hasPassword={trunk?.has_password ?? false} />
            <CheckField
              label={t('Register at the carrier')}
              checked={values.isRegistered}
              onChange={(event) => setValues({ ...values, isRegistered: event.target.checked })}
            />
            <CheckField
              label={t('Let the far side transfer calls (REFER)')}
              checked={values.acceptsRefer}
              onChange={(event) => setValues({ ...values, acceptsRefer: event.target.checked })}
            />
            <CheckField
              label={t('Have the far side join caller and target of a warm transfer')}
              checked={values.joinsByRefer}
              onChange={(event) => setValues({ ...values, joinsByRefer: event.target.checked })}
            />
          </>
        ) : (
          <CarrierFields labels={labels} bind={bind} trunk={trunk} />
        )}
        <CheckField
          label={t('In service')}
          checked={values.isEnabled}
          onChange={(event) => setValues({ ...values, isEnabled: event.target.checked })}
        />
        <Limits bind={bind} />
        {labels === null ? (
          <>
            <Sources bind={bind} needsSecret={secretHeader !== '' && secretHeader !== trunk?.secret_header} />
            <details className="rounded-lg border border-line p-3">
              <summary className="cursor-pointer text-sm font-medium">
                {t('Call format of the carrier')}
              </summary>
              <div className="mt-3 flex flex-col gap-4">
                <OutgoingFields bind={bind} />
              </div>
            </details>
          </>
        ) : null}
        {save.isError ? <ErrorNote error={save.error} /> : null}
        <DialogActions
          action={trunk === null ? t('Add the trunk') : t('Save')}
          isBusy={save.isPending}
          curl={<CopyCurl operation="saveTrunk" input={shown} />}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

function Address({ bind }: { bind: Bind }): ReactNode {
  return (
    <>
      <TextField label={t('SIP address')} required placeholder="sip:sip.example.com" {...bind('uri')} />
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

function Account({ bind, hasPassword }: { bind: Bind; hasPassword: boolean }): ReactNode {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <TextField label={t('User name')} autoComplete="off" {...bind('username')} />
      <TextField
        label={t('User of authentication')}
        autoComplete="off"
        hint={t('Empty: the user name.')}
        {...bind('authUsername')}
      />
      <TextField
        label={t('Password')}
        type="password"
        autoComplete="new-password"
        hint={hasPassword ? t('Empty: the stored one stays.') : t('Stored encrypted.')}
        {...bind('password')}
      />
    </div>
  );
}

function Limits({ bind }: { bind: Bind }): ReactNode {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label={t('Calls at once')}
        type="number"
        min={1}
        hint={t('Empty: no limit.')}
        {...bind('maxCalls')}
      />
      <TextField
        label={t('New calls a second')}
        type="number"
        min={0}
        step="any"
        hint={t('Empty: no limit.')}
        {...bind('callsPerSecond')}
      />
    </div>
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

function OutgoingFields({ bind }: { bind: Bind }): ReactNode {
  const formats = (
    <>
      <option value="e164">+919812345678</option>
      <option value="digits">919812345678</option>
      <option value="national">{t('National format')}</option>
    </>
  );
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label={t('The caller’s number is in')} {...bind('callerId')}>
          <option value="from">{t('From')}</option>
          <option value="p_asserted_identity">{t('P-Asserted-Identity')}</option>
        </SelectField>
        <TextField
          label={t('Domain of From')}
          placeholder={t('That of the SIP address')}
          {...bind('fromDomain')}
        />
        <SelectField label={t('Form of the caller’s number')} {...bind('callerFormat')}>
          {formats}
        </SelectField>
        <SelectField label={t('Form of the called number')} {...bind('calleeFormat')}>
          {formats}
        </SelectField>
        <TextField
          label={t('Calling code of national numbers')}
          placeholder="91"
          inputMode="numeric"
          {...bind('callingCode')}
        />
        <TextField label={t('Before the called number')} placeholder="7788#" {...bind('calleePrefix')} />
        <TextField
          label={t('Bytes above which an INVITE goes over TCP')}
          type="number"
          placeholder="1300"
          {...bind('udpLimit')}
        />
        <SelectField label={t('Keys, where the far side has no telephone-event')} {...bind('dtmf')}>
          <option value="tones">{t('Tones in the audio')}</option>
          <option value="info">{t('SIP INFO')}</option>
        </SelectField>
      </div>
      <TextArea
        label={t('Further headers, one a line')}
        rows={2}
        placeholder={t('X-Account: 42')}
        hint={t('Stored and sent in clear: no secrets.')}
        {...bind('headers')}
      />
    </>
  );
}
