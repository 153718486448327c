import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { enter } from '../../session/session.ts';
import { Entrance } from '../../shell/entrance.tsx';
import { SignInForm } from '../../shell/sign-in-form.tsx';

export function SignInPage(): ReactNode {
  const { next = '/' } = useSearch({ from: '/sign-in' });
  const firstRun = useRead('getFirstRun', {});
  const navigate = useNavigate();
  const router = useRouter();
  return (
    <Entrance title="Sign in">
      <div className="flex flex-col gap-4">
        {firstRun.data?.needed === true ? (
          <p className="rounded-md border border-line bg-raised px-3 py-2 text-sm">
            This installation has no account yet. Open the link that <code>npm start</code> prints to create
            the first owner.
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
