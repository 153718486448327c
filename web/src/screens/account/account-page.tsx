import type { ReactNode } from 'react';
import { Page } from '../../ui/page.tsx';
import { AccountLog } from './account-log.tsx';
import { PasswordCard } from './password-card.tsx';
import { Sessions } from './sessions.tsx';
import { TwoStepCard } from './two-step-card.tsx';
import { t } from '../../words/words.ts';

export function AccountPage(): ReactNode {
  return (
    <Page title={t('Your account')} intro={t('How you sign in, and where you are signed in.')}>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <PasswordCard />
        <TwoStepCard />
      </div>
      <Sessions />
      <AccountLog />
    </Page>
  );
}
