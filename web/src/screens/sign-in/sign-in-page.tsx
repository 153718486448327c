import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { ApiFailure, call } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { enter } from '../../session/session.ts';
import { Entrance } from '../../shell/entrance.tsx';
import { Button, CopyCurl, TextField } from '../../ui/controls.tsx';
import { formText } from '../../ui/form-text.ts';
import { ErrorNote } from '../../ui/page.tsx';

export function SignInPage(): ReactNode {
  const { next = '/' } = useSearch({ from: '/sign-in' });
  const [needsCode, setNeedsCode] = useState(false);
  const [error, setError] = useState<ApiFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const firstRun = useRead('getFirstRun', {});
  const navigate = useNavigate();
  const router = useRouter();

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const code = formText(form, 'code').trim();
    setIsBusy(true);
    setError(null);
    try {
      await call('signIn', {
        email: formText(form, 'email'),
        password: formText(form, 'password'),
        ...(code === '' ? {} : { code }),
      });
      await enter();
      await router.invalidate();
      await navigate({ href: next });
    } catch (caught) {
      if (!(caught instanceof ApiFailure)) throw caught;
      if (caught.code === 'CODE_REQUIRED') setNeedsCode(true);
      else setError(caught);
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <Entrance title="Sign in">
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        {firstRun.data?.needed === true ? (
          <p className="rounded-md border border-line bg-raised px-3 py-2 text-sm">
            This installation has no account yet. Open the link that <code>npm start</code> prints to create
            the first owner.
          </p>
        ) : null}
        {error === null ? null : <ErrorNote error={error} />}
        <TextField label="Email" name="email" type="email" autoComplete="username" required autoFocus />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        {needsCode ? (
          <TextField
            label="Code"
            name="code"
            hint="The 6 digits of your authenticator app, or a recovery code."
            autoComplete="one-time-code"
            inputMode="text"
            minLength={6}
            maxLength={20}
            required
            autoFocus
          />
        ) : null}
        <Button type="submit" look="primary" busy={isBusy}>
          Sign in
        </Button>
        <div className="self-center">
          <CopyCurl
            operation="signIn"
            input={{ email: '<email>', password: '', ...(needsCode ? { code: '' } : {}) }}
          />
        </div>
      </form>
    </Entrance>
  );
}
