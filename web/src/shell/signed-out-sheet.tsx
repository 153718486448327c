import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useConnection } from '../api/connection.ts';
import { comeBack, leave, sessionQuery, whenOtherTabSignsIn } from '../session/session.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { t } from '../words/words.ts';

/** Asks for the password where a session ended, above the page, which stays as it is. */
export function SignedOutSheet(): ReactNode {
  return useConnection().isSignedOut ? <Sheet /> : null;
}

function Sheet(): ReactNode {
  const { data } = useQuery(sessionQuery);
  const navigate = useNavigate();
  const [isClosed, setIsClosed] = useState(false);
  const goOn = async (): Promise<void> => {
    if ((await comeBack()) === 'another') await navigate({ to: '/', ignoreBlocker: true });
  };
  const look = (): void => void goOn().catch(() => undefined);
  useEffect(() => whenOtherTabSignsIn(look));
  // The refusal of an older request may arrive after another tab has signed in.
  useEffect(look, []);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The email is known; the dialog gives the focus to its first field.
    box.current?.querySelector<HTMLInputElement>('[name=password]')?.focus();
  }, [isClosed]);
  if (isClosed) {
    return (
      <div
        role="alert"
        className="sticky top-(--bar) z-30 flex flex-wrap items-center justify-between gap-3 border-b border-warn bg-surface px-4 py-2 text-sm"
      >
        {t('You are signed out. What you see is from before, and nothing can be saved.')}
        <Button look="primary" onClick={() => setIsClosed(false)}>
          {t('Sign in')}
        </Button>
      </div>
    );
  }
  return (
    <Dialog title={t('You were signed out')} onClose={() => setIsClosed(true)}>
      <p className="mb-4 text-muted">
        {t('Sign in to go on where you were. What you typed on this page is still there.')}
      </p>
      <div ref={box}>
        <SignInForm email={data?.user.email ?? ''} onSignedIn={goOn}>
          <Button
            onClick={() => {
              leave();
              void navigate({ to: '/sign-in', ignoreBlocker: true });
            }}
          >
            {t('Use another account')}
          </Button>
        </SignInForm>
      </div>
    </Dialog>
  );
}
