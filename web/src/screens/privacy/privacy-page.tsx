import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../../session/session.ts';
import { Page } from '../../ui/page.tsx';
import { EraseCard } from './erase-card.tsx';
import { ErasureProgress } from './erasure-progress.tsx';
import { ExportCard } from './export-card.tsx';
import { RetentionCard } from './retention-card.tsx';
import { t } from '../../words/words.ts';

/** For owners: how long data is kept, what the workspace keeps of a person, and erasing people. */
export function PrivacyPage(): ReactNode {
  const { erasure } = useSearch({ from: '/app/settings/data' });
  const isOwner = useMay('owner');
  return (
    <Page
      title={t('Data and erasure')}
      isViewOnly={!isOwner}
      intro={t(
        'How long the workspace keeps what was said, and what it hands out and deletes of a person who asks for it.',
      )}
    >
      <RetentionCard />
      {erasure === undefined ? null : <ErasureProgress key={erasure} id={erasure} />}
      {isOwner ? (
        <>
          <ExportCard />
          <EraseCard />
        </>
      ) : null}
    </Page>
  );
}
