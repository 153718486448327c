import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { ApiFailure, call } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { enter } from '../../session/session.ts';
import { Entrance } from '../../shell/entrance.tsx';
import { Button, buttonClass, CopyCurl, TextField } from '../../ui/controls.tsx';
import { formText } from '../../ui/form-text.ts';
import { ErrorNote, Loading } from '../../ui/page.tsx';

/** Creates the first owner, with the token of the printed link. */
export function FirstRunPage(): ReactNode {
  const state = useRead('getFirstRun', {});
  const [error, setError] = useState<ApiFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const navigate = useNavigate();
  const router = useRouter();
  const token = location.hash.slice(1);

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
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
      <Entrance title="First run">
        <Loading />
      </Entrance>
    );
  }
  if (state.isError) {
    return (
      <Entrance title="First run">
        <ErrorNote error={state.error} retry={() => void state.refetch()} />
      </Entrance>
    );
  }
  if (!state.data.needed) {
    return (
      <Entrance title="This installation has an owner">
        <p className="mb-4 text-muted">The link worked once. Further people join by invitation.</p>
        <Link to="/sign-in" className={buttonClass('primary')}>
          Go to sign in
        </Link>
      </Entrance>
    );
  }
  if (token === '') {
    return (
      <Entrance title="Open the printed link">
        <p className="text-muted">
          <code>npm start</code> prints a link to this page with a secret after the <code>#</code>. Only who
          can read that output creates the first owner. The link works for 24 hours;{' '}
          <code>callwright first-run</code> prints a new one.
        </p>
      </Entrance>
    );
  }
  return (
    <Entrance title="Create the first owner">
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <p className="text-sm text-muted">
          You will own every workspace of this installation that has no owner.
        </p>
        {error === null ? null : <ErrorNote error={error} />}
        <TextField label="Email" name="email" type="email" autoComplete="username" required autoFocus />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={10}
          maxLength={200}
          hint="At least 10 characters."
          required
        />
        <Button type="submit" look="primary" busy={isBusy}>
          Create owner and sign in
        </Button>
        <div className="self-center">
          <CopyCurl operation="createFirstOwner" input={{ token, email: '<email>', password: '' }} />
        </div>
      </form>
    </Entrance>
  );
}
