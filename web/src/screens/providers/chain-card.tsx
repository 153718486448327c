import { useState, type ReactNode } from 'react';
import type { ProviderKind } from '../../../../src/vendors/catalogue.ts';
import type { Input } from '../../api/client.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { PART_NAMES, vendorTitle } from '../../parts/vendors.ts';
import { ChainField, OFFLINE } from '../../parts/chain-field.tsx';
import { CheckField } from '../../ui/controls.tsx';
import type { Providers } from './types.ts';
import { SettingCard } from './setting-card.tsx';
import { t } from '../../words/words.ts';

/** The vendors of one part of a call, in order. */
export function ChainCard({
  kind,
  providers,
  isFromFile,
  mayEdit,
}: {
  kind: ProviderKind;
  providers: Providers;
  isFromFile: boolean;
  mayEdit: boolean;
}): ReactNode {
  const stored = providers[kind];
  const [typed, setTyped] = useState<{ readonly chain: readonly string[] | null } | null>(null);
  const chain = typed === null ? stored : typed.chain;
  const name = PART_NAMES[kind] ?? kind;
  const input = { [kind]: chain } as Input<'setProviders'>;
  const isChanged = JSON.stringify(chain) !== JSON.stringify(stored);
  const available = providers.available[kind];
  const used = providers.in_use[kind].filter((each) => each !== OFFLINE);
  return (
    <SettingCard
      title={name}
      input={input}
      stored={{ [kind]: stored }}
      isChanged={isChanged}
      mayEdit={mayEdit}
      isFromFile={isFromFile}
      onSaved={() => setTyped(afterSending(typed, null))}
    >
      {() => (
        <>
          <CheckField
            label={t('Default of the installation')}
            checked={chain === null}
            readOnly={!mayEdit}
            onChange={({ target: { checked } }) =>
              setTyped({ chain: checked ? null : [available[0] ?? OFFLINE] })
            }
          />
          {chain === null ? (
            <p className="text-sm text-muted">
              {used.length === 0
                ? t('Now this machine, without a vendor.')
                : t('Now {names}, then this machine.', { names: used.map(vendorTitle).join(', ') })}
            </p>
          ) : (
            <ChainField
              label={t(name)}
              chain={chain}
              available={available}
              readOnly={!mayEdit}
              onChange={(next) => setTyped({ chain: next })}
            />
          )}
        </>
      )}
    </SettingCard>
  );
}
