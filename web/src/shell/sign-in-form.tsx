import { useState, type FormEvent, type ReactNode } from 'react';
import { ApiFailure, call } from '../api/client.ts';
import { Button, CopyCurl, TextField } from '../ui/controls.tsx';
import { problemsOf } from '../ui/form-problems.ts';
import { formText } from '../ui/form-text.ts';
import { ErrorNote } from '../ui/page.tsx';
import { t } from '../words/words.ts';

/** Where the form says what is wrong with an answer. */
const FIELDS: Readonly<Record<string, 'password' | 'code'>> = {
  SIGN_IN_FAILED: 'password',
  CODE_WRONG: 'code',
};

/** Email, password and, for accounts with two steps, the code. */
export function SignInForm({
  email = '',
  children,
  onSignedIn,
}: {
  /** Filled in for a person who was signed in before. */
  email?: string;
  /** Further actions. */
  children?: ReactNode;
  onSignedIn: () => Promise<void>;
}): ReactNode {
  const [needsCode, setNeedsCode] = useState(false);
  const [error, setError] = useState<ApiFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const errorOf = (field: 'email' | 'password' | 'code'): string | undefined =>
    problems.get(field) ?? (error !== null && FIELDS[error.code] === field ? error.message : undefined);

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const found = problemsOf(form);
    setProblems(found);
    if (found.size > 0) return;
    const code = formText(form, 'code').trim();
    setIsBusy(true);
    setError(null);
    try {
      await call('signIn', {
        email: formText(form, 'email'),
        password: formText(form, 'password'),
        ...(code === '' ? {} : { code }),
      });
      await onSignedIn();
    } catch (caught) {
      if (!(caught instanceof ApiFailure)) throw caught;
      if (caught.code === 'CODE_REQUIRED') setNeedsCode(true);
      else setError(caught);
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {error === null || FIELDS[error.code] !== undefined ? null : <ErrorNote error={error} />}
      <TextField
        label={t('Email')}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        error={errorOf('email')}
        required
        autoFocus={email === ''}
      />
      <TextField
        label={t('Password')}
        name="password"
        type="password"
        autoComplete="current-password"
        error={errorOf('password')}
        required
        autoFocus={email !== ''}
      />
      {needsCode ? (
        <TextField
          label={t('Code')}
          name="code"
          hint={t('The 6 digits of your authenticator app, or a recovery code.')}
          autoComplete="one-time-code"
          inputMode="text"
          minLength={6}
          maxLength={20}
          error={errorOf('code')}
          required
          autoFocus
        />
      ) : null}
      <Button type="submit" look="primary" busy={isBusy}>
        {t('Sign in')}
      </Button>
      <div className="flex flex-wrap justify-center gap-2">
        {children}
        <CopyCurl
          operation="signIn"
          input={{ email: '<email>', password: '', ...(needsCode ? { code: '' } : {}) }}
        />
      </div>
    </form>
  );
}
