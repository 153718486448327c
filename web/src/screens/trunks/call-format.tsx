import type { ReactNode } from 'react';
import { SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import type { Bind } from './bind.ts';
import { t } from '../../words/words.ts';

/** How the carrier wants the numbers and headers of outgoing calls. */
export function CallFormat({ bind }: { bind: Bind }): ReactNode {
  const formats = (
    <>
      <option value="e164">+919812345678</option>
      <option value="digits">919812345678</option>
      <option value="national">{t('National format')}</option>
    </>
  );
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-3 text-sm font-semibold">{t('Call format of the carrier')}</legend>
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
    </fieldset>
  );
}
