import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../ui/controls.tsx';
import { EmptyState, ErrorNote, Page } from '../ui/page.tsx';
import { t } from '../words/words.ts';

export function RouteFailure({ error }: ErrorComponentProps): ReactNode {
  return (
    <main>
      <Page title={t('Something went wrong')}>
        <ErrorNote
          error={error instanceof Error ? error : new Error(t('The page cannot be shown.'))}
          retry={() => location.reload()}
        />
      </Page>
    </main>
  );
}

export function RouteMissing(): ReactNode {
  return (
    <main>
      <Page title={t('Page not found')}>
        <EmptyState
          title={t('There is no page at this address')}
          action={
            <Link to="/calls" className={buttonClass('primary')}>
              {t('Open the calls')}
            </Link>
          }
        >
          {t('The link may be old, or belong to another installation.')}
        </EmptyState>
      </Page>
    </main>
  );
}
