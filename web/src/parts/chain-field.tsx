import type { ReactNode } from 'react';
import { Button, SelectField } from '../ui/controls.tsx';
import { vendorTitle } from './vendors.ts';
import { t } from '../words/words.ts';

/** The engine without vendors: it ends every chain. */
export const OFFLINE = 'offline';

/** Vendors in the order in which a call tries them. */
export function ChainField({
  label,
  chain,
  available,
  readOnly = false,
  error,
  onChange,
}: {
  label: string;
  chain: readonly string[];
  /** Vendors with an account. */
  available: readonly string[];
  readOnly?: boolean;
  error?: string | undefined;
  onChange: (chain: readonly string[]) => void;
}): ReactNode {
  const left = [...available, OFFLINE].filter((name) => !chain.includes(name));
  const move = (at: number, by: number): void => {
    const next = [...chain];
    next.splice(at + by, 0, ...next.splice(at, 1));
    onChange(next);
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{t('{label}: order of use', { label })}</legend>
      <ol className="flex flex-col gap-2">
        {chain.map((name, index) => (
          <li key={name} className="flex min-h-9 flex-wrap items-center gap-2">
            <span className="w-6 text-muted tabular-nums">{index + 1}.</span>
            <span className="grow font-medium">{vendorTitle(name)}</span>
            {readOnly ? null : (
              <>
                <Button
                  disabled={index === 0}
                  aria-label={t('Move {name} up', { name: vendorTitle(name) })}
                  onClick={() => move(index, -1)}
                >
                  {t('Up')}
                </Button>
                <Button
                  disabled={index === chain.length - 1}
                  aria-label={t('Move {name} down', { name: vendorTitle(name) })}
                  onClick={() => move(index, 1)}
                >
                  {t('Down')}
                </Button>
                <Button
                  aria-label={t('Remove {name}', { name: vendorTitle(name) })}
                  disabled={chain.length === 1}
                  onClick={() => onChange(chain.filter((each) => each !== name))}
                >
                  {t('Remove')}
                </Button>
              </>
            )}
          </li>
        ))}
      </ol>
      {readOnly || left.length === 0 ? null : (
        <SelectField
          label={t('{label}: add a vendor', { label })}
          value=""
          onChange={(event) => onChange([...chain, event.target.value])}
        >
          <option value="">{t('Choose')}</option>
          {left.map((name) => (
            <option key={name} value={name}>
              {vendorTitle(name)}
            </option>
          ))}
        </SelectField>
      )}
      {error === undefined ? null : <p className="text-sm text-bad">{error}</p>}
    </fieldset>
  );
}
