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
    <Dialog title={trunk === null ? 'Add a trunk' : `Change ${trunk.name}`} isWide onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(input, { onSuccess: onClose });
        }}
      >
        {trunk === null ? (
          <SelectField
            label="How its calls come and go"
            value={values.kind}
            onChange={({ target }) => {
              const kind = target.value as TrunkKind;
              setValues({ ...values, kind, uri: kind === 'sip' ? '' : ACCOUNT_LABELS[kind].uri });
            }}
          >
            <option value="sip">SIP</option>
            {CARRIER_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {KIND_NAMES[kind]}
              </option>
            ))}
          </SelectField>
        ) : null}
        {trunk === null && labels === null ? (
          <SelectField
            label="Carrier"
            value={preset}
            hint={
              PRESETS.find(({ id }) => id === preset)?.advice ??
              'A carrier of the list fills in what it wants.'
            }
            onChange={({ target }) => {
              setPreset(target.value);
              setValues(withPreset(values, target.value));
            }}
          >
            <option value="">Another carrier</option>
            {PRESETS.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        ) : null}
        {trunk === null ? (
          <TextField
            label="Name"
            required
            maxLength={100}
            hint="Numbers name the trunk by it."
            {...bind('name')}
          />
        ) : null}
        {labels === null ? (
          <>
            <Address bind={bind} />
            <Account bind={bind} hasPassword={trunk?.has_password ?? false} />
            <CheckField
              label="Register at the carrier"
              checked={values.isRegistered}
              onChange={(event) => setValues({ ...values, isRegistered: event.target.checked })}
            />
            <CheckField
              label="Let the far side transfer calls (REFER)"
              checked={values.acceptsRefer}
              onChange={(event) => setValues({ ...values, acceptsRefer: event.target.checked })}
            />
            <CheckField
              label="Have the far side join caller and target of a warm transfer"
              checked={values.joinsByRefer}
              onChange={(event) => setValues({ ...values, joinsByRefer: event.target.checked })}
            />
          </>
        ) : (
          <CarrierFields labels={labels} bind={bind} trunk={trunk} />
        )}
        <CheckField
          label="In service"
          checked={values.isEnabled}
          onChange={(event) => setValues({ ...values, isEnabled: event.target.checked })}
        />
        <Limits bind={bind} />
        {labels === null ? (
          <>
            <Sources bind={bind} needsSecret={secretHeader !== '' && secretHeader !== trunk?.secret_header} />
            <details className="rounded-lg border border-line p-3">
              <summary className="cursor-pointer text-sm font-medium">How the carrier wants calls</summary>
              <div className="mt-3 flex flex-col gap-4">
                <OutgoingFields bind={bind} />
              </div>
            </details>
          </>
        ) : null}
        {save.isError ? <ErrorNote error={save.error} /> : null}
        <DialogActions
          action={trunk === null ? 'Add the trunk' : 'Save'}
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
      <TextField label="SIP address" required placeholder="sip:sip.example.com" {...bind('uri')} />
      <TextArea
        label="Gateways, one a line"
        rows={3}
        placeholder="sip:192.0.2.10 0 3"
        hint="Address, priority, weight and, if it has its own, transport. Without a line, calls go to the SIP address."
        {...bind('gateways')}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <SelectField label="Transport" {...bind('transport')}>
          <option value="">That of the address, else UDP</option>
          <option value="udp">UDP</option>
          <option value="tcp">TCP</option>
          <option value="tls">TLS</option>
        </SelectField>
        <SelectField label="Encryption of the audio" {...bind('srtp')}>
          <option value="off">None</option>
          <option value="optional">SRTP where the carrier offers it</option>
          <option value="required">SRTP always</option>
        </SelectField>
        <SelectField label="Codecs" {...bind('codecs')}>
          {codecChoices(bind('codecs').value).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
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
      <TextField label="User name" autoComplete="off" {...bind('username')} />
      <TextField
        label="User of authentication"
        autoComplete="off"
        hint="Empty: the user name."
        {...bind('authUsername')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint={hasPassword ? 'Empty: the stored one stays.' : 'Stored encrypted.'}
        {...bind('password')}
      />
    </div>
  );
}

function Limits({ bind }: { bind: Bind }): ReactNode {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label="Calls at once" type="number" min={1} hint="Empty: no limit." {...bind('maxCalls')} />
      <TextField
        label="New calls a second"
        type="number"
        min={0}
        step="any"
        hint="Empty: no limit."
        {...bind('callsPerSecond')}
      />
    </div>
  );
}

function Sources({ bind, needsSecret }: { bind: Bind; needsSecret: boolean }): ReactNode {
  return (
    <>
      <TextArea
        label="Addresses that may call, one a line"
        rows={2}
        hint="Beside those of the trunk: addresses and ranges such as 198.51.100.0/24."
        {...bind('allowedSources')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Header of its calls to us"
          placeholder="X-Telnyx-Token"
          hint="For carriers whose addresses other customers share. Empty: none."
          {...bind('secretHeader')}
        />
        <TextField
          label="Secret in that header"
          type="password"
          autoComplete="new-password"
          required={needsSecret}
          hint={needsSecret ? 'Calls without it are refused.' : 'Empty: the stored one stays.'}
          {...bind('secret')}
        />
      </div>
      <TextArea
        label="Addresses of its audio, one a line"
        rows={2}
        hint="Empty: any."
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
      <option value="national">As its country dials it</option>
    </>
  );
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="The caller’s number is in" {...bind('callerId')}>
          <option value="from">From</option>
          <option value="p_asserted_identity">P-Asserted-Identity</option>
        </SelectField>
        <TextField label="Domain of From" placeholder="That of the SIP address" {...bind('fromDomain')} />
        <SelectField label="Form of the caller’s number" {...bind('callerFormat')}>
          {formats}
        </SelectField>
        <SelectField label="Form of the called number" {...bind('calleeFormat')}>
          {formats}
        </SelectField>
        <TextField
          label="Calling code of national numbers"
          placeholder="91"
          inputMode="numeric"
          {...bind('callingCode')}
        />
        <TextField label="Before the called number" placeholder="7788#" {...bind('calleePrefix')} />
        <TextField
          label="Bytes above which an INVITE goes over TCP"
          type="number"
          placeholder="1300"
          {...bind('udpLimit')}
        />
      </div>
      <TextArea
        label="Further headers, one a line"
        rows={2}
        placeholder="X-Account: 42"
        hint="Stored and sent in clear: no secrets."
        {...bind('headers')}
      />
    </>
  );
}
