import type { ReactNode } from 'react';
import type { S2sEntry } from '../../../src/vendors/accounts.ts';
import type { S2sVendorName } from '../../../src/vendors/catalogue.ts';
import { S2S_VENDORS, s2sOf } from '../api/vendors.ts';
import { SelectField } from '../ui/controls.tsx';
import { vendorTitle } from './vendors.ts';
import { t } from '../words/words.ts';

/** Who hears and speaks: one model of a vendor, or recogniser, model and voice. Vendors without an account are not offered. */
export function S2sField({
  value,
  usual,
  available,
  readOnly,
  error,
  onChange,
}: {
  /** Null: the usual choice. */
  value: S2sEntry | null;
  /** The name of the usual choice. */
  usual: string;
  /** Vendors with an account. */
  available: readonly string[];
  readOnly: boolean;
  error?: string | undefined;
  onChange: (value: S2sEntry | null) => void;
}): ReactNode {
  return (
    <SelectField
      label={t('Who hears and speaks')}
      value={value ?? ''}
      readOnly={readOnly}
      error={error}
      onChange={({ target: { value: chosen } }) => onChange(chosen === '' ? null : (chosen as S2sEntry))}
    >
      <option value="">{t(usual)}</option>
      <option value="pipeline">{t('Recogniser, model and voice')}</option>
      {S2S_VENDORS.map(({ name: vendor, product }) => (
        <option key={vendor} value={vendor} disabled={!available.includes(vendor) && vendor !== value}>
          {product}
          {available.includes(vendor)
            ? ''
            : `: ${t('no account of {vendor}', { vendor: vendorTitle(vendor) })}`}
        </option>
      ))}
    </SelectField>
  );
}

/** What is different when one model hears and speaks. */
export function S2sLimits({ vendor }: { vendor: S2sVendorName | null }): ReactNode {
  const duration =
    vendor === null
      ? S2S_VENDORS.map(({ product, minutes }) =>
          t('{minutes} minutes with {product}', { minutes, product }),
        ).join(', ')
      : t('about {minutes} minutes', { minutes: s2sOf(vendor)?.minutes ?? 0 });
  return (
    <details className="text-sm text-muted">
      <summary className="cursor-pointer font-medium text-ink">
        {t('What is different, and the limits')}
      </summary>
      <ul className="mt-2 flex list-disc flex-col gap-1 pl-5">
        <li>
          {t('Recogniser, model and voice stay ready and take over in the call when the vendor fails.')}
        </li>
        <li>
          {t('The vendor is connected to while the phone rings; if that fails, the call begins without it.')}
        </li>
        <li>{t('The vendor ends the turn of a caller after 400 ms of silence, whatever the words are.')}</li>
        <li>
          {t(
            'Words come only after the end of speech, so 300 ms of sound interrupt the assistant, and opt-outs and voicemail are noticed at the end of each utterance.',
          )}
        </li>
        <li>{t('A connection lasts {duration}; the call then goes on at a new one.', { duration })}</li>
        <li>{t('A language model of the assistant’s own replies only after a fallback.')}</li>
        <li>
          {t('The vendors are tested against stand-ins of their protocols, not against their services.')}
        </li>
      </ul>
    </details>
  );
}
