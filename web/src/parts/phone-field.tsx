import type { CountryCode } from 'libphonenumber-js/min';
import { useState, type ReactNode } from 'react';
import { useRead } from '../api/queries.ts';
import { SelectField, TextField } from '../ui/controls.tsx';
import { useWorkspace } from '../session/session.ts';
import { chosenCountry, countryOfZone } from './home-country.ts';
import {
  COUNTRIES,
  countryName,
  countryOf,
  countryOfNumber,
  internationalNumber,
  spacedNumber,
} from './phone-number.ts';
import { t } from '../words/words.ts';

/** A number as it is typed. */
export interface Phone {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Of numbers without a code; empty: none. */
  readonly country: CountryCode | '';
  readonly setCountry: (country: CountryCode | '') => void;
  /** Null: the text is no number yet. */
  readonly e164: string | null;
}

/**
 * A number to type. One without a code is of the country of the workspace: the chosen one, else that of its first number,
 * else that of its zone; a workspace that has none of these leaves it to the browser.
 */
export function usePhone(begin = ''): Phone {
  const [text, setText] = useState(begin);
  const [chosen, setCountry] = useState<CountryCode | '' | null>(null);
  const numbers = useRead('listNumbers', {}).data?.workspace_numbers ?? [];
  const workspace = useWorkspace();
  const country =
    chosen ??
    (COUNTRIES.find(([code]) => code === workspace?.country)?.[0] ||
      (numbers[0] !== undefined && countryOfNumber(numbers[0].number)) ||
      countryOfZone(workspace?.timezone ?? '') ||
      chosenCountry() ||
      countryOf(navigator.language));
  return { text, setText, country, setCountry, e164: internationalNumber(text, country) };
}

/** The number, formatted once it is left. `isTried`: it was sent, so that a mistake is named. */
export function PhoneField({
  label,
  phone,
  isTried,
  error,
  isOptional = false,
  note,
}: {
  label: string;
  phone: Phone;
  /** The form around it can be sent without. */
  isOptional?: boolean;
  isTried: boolean;
  /** What the service says about it. */
  error: string | undefined;
  /** Below the number that is dialled. */
  note?: ReactNode;
}): ReactNode {
  const { text, setText, country, e164 } = phone;
  const mistake =
    country === ''
      ? t('Begin with + and the code of the country.')
      : t('This is no phone number of {country}. Begin with + and the code of another country.', {
          country: countryName(country),
        });
  return (
    <TextField
      label={label}
      type="tel"
      autoComplete="off"
      required={!isOptional}
      value={text}
      hint={
        e164 === null ? (
          t('As you would write it: (415) 555-0123 or +1 415 555 0123.')
        ) : (
          <>
            {t('Dials {number}.', { number: spacedNumber(e164) })} {note}
          </>
        )
      }
      error={isTried && e164 === null ? mistake : error}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => (e164 === null ? undefined : setText(spacedNumber(e164)))}
    />
  );
}

/** The country of numbers without a code. */
export function PhoneCountry({ phone: { country, setCountry } }: { phone: Phone }): ReactNode {
  return (
    <SelectField
      label={t('Country of numbers without a code')}
      value={country}
      onChange={(event) => setCountry(event.target.value as Phone['country'])}
    >
      <option value="">{t('None')}</option>
      {COUNTRIES.map(([code, each]) => (
        <option key={code} value={code}>
          {each}
        </option>
      ))}
    </SelectField>
  );
}
