import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../ui/controls.tsx';
import { EmptyState, ErrorNote, Page } from '../ui/page.tsx';

export function RouteFailure({ error }: ErrorComponentProps): ReactNode {
  return (
    <main>
      <Page title="Something went wrong">
        <ErrorNote
          error={error instanceof Error ? error : new Error('The page cannot be shown.')}
          retry={() => location.reload()}
        />
      </Page>
    </main>
  );
}

export function RouteMissing(): ReactNode {
  return (
    <main>
      <Page title="Page not found">
        <EmptyState
          title="There is no page at this address"
          action={
            <Link to="/calls" className={buttonClass('primary')}>
              Open the calls
            </Link>
          }
        >
          The link may be old, or belong to another installation.
        </EmptyState>
      </Page>
    </main>
  );
}
