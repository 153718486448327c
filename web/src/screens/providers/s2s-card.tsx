import { useState, type ReactNode } from 'react';
import type { S2sEntry } from '../../../../src/vendors/accounts.ts';
import { isS2sVendor, S2S_VENDORS } from '../../api/vendors.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { Badge } from '../../ui/page.tsx';
import { vendorTitle } from '../../parts/vendors.ts';
import { S2sField, S2sLimits } from '../../parts/speech-to-speech.tsx';
import type { Providers } from './types.ts';
import { SettingCard } from './setting-card.tsx';
import { t } from '../../words/words.ts';

/** Whether one model of a vendor hears and speaks in the calls of the workspace. */
export function S2sCard({
  providers,
  isFromFile,
  mayEdit,
}: {
  providers: Providers;
  isFromFile: boolean;
  mayEdit: boolean;
}): ReactNode {
  const { s2s: stored, available, vendors } = providers;
  const [typed, setTyped] = useState<{ readonly entry: S2sEntry | null } | null>(null);
  const entry = typed === null ? stored : typed.entry;
  return (
    <SettingCard
      title={t('Speech to speech')}
      input={{ s2s: entry }}
      stored={{ s2s: stored }}
      isChanged={entry !== stored}
      mayEdit={mayEdit}
      isFromFile={isFromFile}
      onSaved={() => setTyped(afterSending(typed, null))}
    >
      {(errorOf) => (
        <>
          <p className="-mt-2 text-sm text-muted">
            {t('One model of a vendor hears, thinks and speaks, in place of recogniser, model and voice.')}
          </p>
          <div className="grid items-start gap-4 md:grid-cols-2">
            <S2sField
              value={entry}
              usual={t('Default of the installation')}
              available={available.s2s}
              readOnly={!mayEdit}
              error={errorOf('s2s')}
              onChange={(chosen) => setTyped({ entry: chosen })}
            />
            <ul
              className="flex flex-col gap-2 text-sm md:pt-7"
              aria-label={t('Accounts for speech to speech')}
            >
              {S2S_VENDORS.map(({ name: vendor }) => (
                <li key={vendor} className="flex flex-wrap items-center gap-2">
                  <span className="w-16 font-medium">{vendorTitle(vendor)}</span>
                  {!available.s2s.includes(vendor) ? (
                    <>
                      <Badge>{t('No key')}</Badge>
                      <span className="text-muted">{t('Set up its account below.')}</span>
                    </>
                  ) : vendors[vendor]?.api_key == null ? (
                    <Badge tone="good">{t('Key of the installation')}</Badge>
                  ) : (
                    <Badge tone="accent">{t('Own key')}</Badge>
                  )}
                </li>
              ))}
            </ul>
          </div>
          <S2sLimits vendor={entry !== null && isS2sVendor(entry) ? entry : null} />
        </>
      )}
    </SettingCard>
  );
}
