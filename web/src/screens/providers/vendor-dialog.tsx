import { useState, type ReactNode } from 'react';
import type { VendorName } from '../../../../src/vendors/catalogue.ts';
import { hasPartAddresses, isS2sVendor, isVendorOf, needsKey, s2sOf } from '../../api/vendors.ts';
import { useChange } from '../../api/queries.ts';
import { CopyCurl, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { FileNotice } from './file-notice.tsx';
import type { Providers } from './types.ts';
import { vendorTitle } from '../../parts/vendors.ts';
import { t } from '../../words/words.ts';

type Stored = Providers['vendors'][string];
const FIELDS = [
  'api_key',
  'base_url',
  'stt_base_url',
  'tts_base_url',
  'model',
  'llm_model',
  'tts_model',
  's2s_model',
  'voice',
] as const;
type Field = (typeof FIELDS)[number];

/** The account of one vendor. The mask of a key keeps the stored one. */
export function VendorDialog({
  name,
  stored,
  isFromFile,
  onSaved,
  onClose,
}: {
  name: VendorName;
  stored: Stored | undefined;
  /** The provision file declares it. */
  isFromFile: boolean;
  onSaved: () => void;
  onClose: () => void;
}): ReactNode {
  const [draft, setDraft] = useState<Readonly<Record<Field, string>>>({
    api_key: stored?.api_key ?? '',
    base_url: stored?.base_url ?? '',
    stt_base_url: stored?.stt_base_url ?? '',
    tts_base_url: stored?.tts_base_url ?? '',
    model: stored?.model ?? '',
    llm_model: stored?.llm_model ?? '',
    tts_model: stored?.tts_model ?? '',
    s2s_model: stored?.s2s_model ?? '',
    voice: stored?.voice ?? '',
  });
  const [languages, setLanguages] = useState((stored?.languages ?? []).join(', '));
  const save = useChange('setProviders', ['getProviders', 'listVoices'], () =>
    t('The account of {name} is saved.', { name: vendorTitle(name) }),
  );
  const codes = languages
    .split(',')
    .map((code) => code.trim())
    .filter((code) => code !== '');
  const values = Object.fromEntries(
    FIELDS.map((field) => [field, draft[field].trim() === '' ? null : draft[field].trim()]),
  );
  const account = { ...values, languages: codes.length === 0 ? null : codes };
  const input = { vendors: { [name]: account } };
  const isOwnServer = !needsKey(name);
  const field = (key: Field, label: string, more: object = {}): ReactNode => (
    <TextField
      label={label}
      value={draft[key]}
      error={save.error?.fields.get(`vendors.${name}.${key}`)}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setDraft({ ...draft, [key]: event.target.value })}
      {...more}
    />
  );
  return (
    <Dialog title={t('Account of {name}', { name: vendorTitle(name) })} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(input, {
            onSuccess: () => {
              onSaved();
              onClose();
            },
          });
        }}
      >
        {isFromFile ? <FileNotice /> : null}
        {field('api_key', 'Key', {
          hint: t('Stored encrypted and shown masked. The mask keeps the stored key.'),
        })}
        {field('base_url', 'Address', {
          type: 'url',
          required: isOwnServer && draft.stt_base_url === '' && draft.tts_base_url === '',
          hint: isOwnServer
            ? t('Your server: https, and a public address.')
            : t('Empty: that of the vendor.'),
        })}
        {hasPartAddresses(name) ? (
          <>
            {field('stt_base_url', 'Server that transcribes', {
              type: 'url',
              hint: t('Empty: the address above.'),
            })}
            {field('tts_base_url', 'Server that speaks', {
              type: 'url',
              hint: t('Empty: the address above.'),
            })}
          </>
        ) : null}
        {isVendorOf('stt', name) ? field('model', 'Model of the recogniser') : null}
        {isVendorOf('llm', name) ? field('llm_model', 'Language model') : null}
        {isVendorOf('tts', name) ? field('tts_model', 'Model of the voices') : null}
        {isS2sVendor(name)
          ? field('s2s_model', 'Model of speech to speech', { placeholder: s2sOf(name)?.model })
          : null}
        {isVendorOf('tts', name) || isS2sVendor(name)
          ? field('voice', 'Usual voice', { hint: t('For assistants that name no voice of this vendor.') })
          : null}
        {isOwnServer ? (
          <TextField
            label={t('Languages, by comma')}
            value={languages}
            hint={t('Such as hi, en-IN. Empty: the usual ones of its kind.')}
            error={save.error?.fields.get(`vendors.${name}.languages`)}
            onChange={(event) => setLanguages(event.target.value)}
          />
        ) : null}
        {save.isError ? <ErrorNote error={save.error} /> : null}
        <DialogActions
          action={t('Save account')}
          isBusy={save.isPending}
          curl={<CopyCurl operation="setProviders" input={input} />}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
