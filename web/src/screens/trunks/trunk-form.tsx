import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { CheckField, CopyCurl, SelectField, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import type { Bind } from './bind.ts';
import { CarrierFields } from './carrier-fields.tsx';
import { ACCOUNT_LABELS, CARRIER_KINDS, KIND_NAMES, type TrunkKind } from './carriers.ts';
import { MoreSettings } from './more-settings.tsx';
import { hasMoreSettings, isAboutMore } from './more-values.ts';
import { PRESETS, withPreset } from './presets.ts';
import { inputOf, type InstalledTrunk, valuesOf } from './trunk-values.ts';
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
  const [isUnfolded, setIsUnfolded] = useState(() => hasMoreSettings(values));
  const save = useChange('saveTrunk', ['listTrunkSettings', 'listTrunks'], (_, { message }) => `${message}.`);
  const bind: Bind = (key) => ({
    value: values[key],
    onChange: (event) => setValues({ ...values, [key]: event.target.value }),
  });
  const input = inputOf(values, trunk);
  const { password: _, signing_key: __, inbound_secret: ___, ...shown } = input;
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
          save.mutate(input, {
            onSuccess: onClose,
            onError: ({ fields }) => setIsUnfolded((was) => was || isAboutMore(fields.keys())),
          });
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
              const next = withPreset(values, target.value);
              setPreset(target.value);
              setValues(next);
              setIsUnfolded(isUnfolded || hasMoreSettings(next));
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
            <Account bind={bind} hasPassword={trunk?.has_password ?? false} />
            <CheckField
              label={t('Register at the carrier')}
              checked={values.isRegistered}
              onChange={(event) => setValues({ ...values, isRegistered: event.target.checked })}
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
          <MoreSettings
            values={values}
            bind={bind}
            trunk={trunk}
            isOpen={isUnfolded}
            onToggle={setIsUnfolded}
            onChange={(change) => setValues({ ...values, ...change })}
          />
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

function Account({ bind, hasPassword }: { bind: Bind; hasPassword: boolean }): ReactNode {
  return (
    <>
      <TextField label={t('SIP address')} required placeholder="sip:sip.example.com" {...bind('uri')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t('User name')} autoComplete="off" {...bind('username')} />
        <TextField
          label={t('Password')}
          type="password"
          autoComplete="new-password"
          hint={hasPassword ? t('Empty: the stored one stays.') : t('Stored encrypted.')}
          {...bind('password')}
        />
      </div>
    </>
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
