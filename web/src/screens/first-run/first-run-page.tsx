import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { ApiFailure, call } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { enter } from '../../session/session.ts';
import { Entrance } from '../../shell/entrance.tsx';
import { Button, buttonClass, CopyCurl, TextField } from '../../ui/controls.tsx';
import { problemsOf } from '../../ui/form-problems.ts';
import { formText } from '../../ui/form-text.ts';
import { ErrorNote, Loading } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

/** Creates the first owner, with the token of the printed link. */
export function FirstRunPage(): ReactNode {
  const state = useRead('getFirstRun', {});
  const [error, setError] = useState<ApiFailure | null>(null);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [isBusy, setIsBusy] = useState(false);
  const navigate = useNavigate();
  const router = useRouter();
  const token = location.hash.slice(1);

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const found = problemsOf(form);
    setProblems(found);
    if (found.size > 0) return;
    setIsBusy(true);
    setError(null);
    try {
      await call('createFirstOwner', {
        token,
        email: formText(form, 'email'),
        password: formText(form, 'password'),
      });
      await enter();
      await router.invalidate();
      await navigate({ to: '/welcome' });
    } catch (caught) {
      if (!(caught instanceof ApiFailure)) throw caught;
      setError(caught);
    } finally {
      setIsBusy(false);
    }
  };

  if (state.isPending) {
    return (
      <Entrance title={t('First run')}>
        <Loading />
      </Entrance>
    );
  }
  if (state.isError) {
    return (
      <Entrance title={t('First run')}>
        <ErrorNote error={state.error} retry={() => void state.refetch()} />
      </Entrance>
    );
  }
  if (!state.data.needed) {
    return (
      <Entrance title={t('This installation has an owner')}>
        <p className="mb-4 text-muted">{t('The link worked once. Other people join by invitation.')}</p>
        <Link to="/sign-in" className={buttonClass('primary')}>
          {t('Go to sign in')}
        </Link>
      </Entrance>
    );
  }
  if (token === '') {
    return (
      <Entrance title={t('Open the printed link')}>
        <p className="text-muted">
          {rich(
            '{code} prints a link to this page with a secret after the {code2}. Only someone who can read that output can create the first owner. The link works for 24 hours; {code3} prints a new one.',
            { code: <code>npm start</code>, code2: <code>#</code>, code3: <code>callwright first-run</code> },
          )}
        </p>
      </Entrance>
    );
  }
  return (
    <Entrance title={t('Create the first owner')}>
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <p className="text-sm text-muted">
          {t('You will own every workspace of this installation that has no owner.')}
        </p>
        {error === null ? null : <ErrorNote error={error} />}
        <TextField
          label={t('Email')}
          name="email"
          type="email"
          autoComplete="username"
          error={problems.get('email')}
          required
          autoFocus
        />
        <TextField
          label={t('Password')}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={10}
          maxLength={200}
          hint={t('At least 10 characters.')}
          error={problems.get('password')}
          required
        />
        <Button type="submit" look="primary" busy={isBusy}>
          {t('Create owner and sign in')}
        </Button>
        <div className="self-center">
          <CopyCurl operation="createFirstOwner" input={{ token, email: '<email>', password: '' }} />
        </div>
      </form>
    </Entrance>
  );
}
