import type { ReactNode } from 'react';
import { PROVIDER_KINDS } from '../../api/vendors.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { ChainCard } from './chain-card.tsx';
import { FaultsCard } from './faults-card.tsx';
import { OfflineNote } from './offline-note.tsx';
import { S2sCard } from './s2s-card.tsx';
import { VendorsCard } from './vendors-card.tsx';
import { t } from '../../words/words.ts';

/** Who recognises, thinks and speaks in the calls of the workspace, and the accounts for it. */
export function ProvidersPage(): ReactNode {
  const read = useRead('getProviders', {});
  const mayEdit = useMay('manager');
  return (
    <Page
      title={t('Providers')}
      intro={t(
        'Vendors for recognition, models and voices, in the order in which a call tries them. Without one, calls use the engines of this machine.',
      )}
    >
      <Loaded read={read}>
        {(answer) => {
          const { providers, faults, from_file: declared } = answer;
          return (
            <>
              <OfflineNote />
              <FaultsCard faults={faults} />
              <div className="grid items-start gap-4 lg:grid-cols-3">
                {PROVIDER_KINDS.map((kind) => (
                  <ChainCard
                    key={kind}
                    kind={kind}
                    providers={providers}
                    isFromFile={declared.includes(kind)}
                    mayEdit={mayEdit}
                  />
                ))}
              </div>
              <S2sCard providers={providers} isFromFile={declared.includes('s2s')} mayEdit={mayEdit} />
              <VendorsCard read={answer} declared={declared} mayEdit={mayEdit} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
