import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { enter } from '../../session/session.ts';
import { Entrance } from '../../shell/entrance.tsx';
import { SignInForm } from '../../shell/sign-in-form.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

export function SignInPage(): ReactNode {
  const { next = '/' } = useSearch({ from: '/sign-in' });
  const firstRun = useRead('getFirstRun', {});
  const navigate = useNavigate();
  const router = useRouter();
  return (
    <Entrance title={t('Sign in')}>
      <div className="flex flex-col gap-4">
        {firstRun.data?.needed === true ? (
          <p className="rounded-md border border-line bg-raised px-3 py-2 text-sm">
            {rich(
              'This installation has no account yet. Open the link that {code} prints to create the first owner.',
              { code: <code>npm start</code> },
            )}
          </p>
        ) : null}
        <SignInForm
          onSignedIn={async () => {
            await enter();
            await router.invalidate();
            await navigate({ href: next });
          }}
        />
      </div>
    </Entrance>
  );
}
