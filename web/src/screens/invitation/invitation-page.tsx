import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { ApiFailure, call } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { enter, sessionQuery } from '../../session/session.ts';
import { Entrance } from '../../shell/entrance.tsx';
import { Button, buttonClass, CopyCurl, TextField } from '../../ui/controls.tsx';
import { formText } from '../../ui/form-text.ts';
import { ErrorNote, Loading } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

const NOTES = {
  owner: 'You will be an owner: you manage members, the API key and everything else.',
  manager: 'You will be a manager: you change assistants and campaigns and place calls.',
  viewer: 'You will be a viewer: you see everything and change nothing.',
} as const;

/** Shows what an invitation is to, and accepts it. */
export function InvitationPage(): ReactNode {
  const token = location.hash.slice(1);
  const invitation = useRead('readInvitation', { token }, { enabled: token !== '' });
  const session = useQuery(sessionQuery);
  const [error, setError] = useState<ApiFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const navigate = useNavigate();
  const router = useRouter();

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const password = formText(event.currentTarget, 'password');
    setIsBusy(true);
    setError(null);
    try {
      await call('acceptInvitation', { token, ...(password === '' ? {} : { password }) });
      await enter();
      await router.invalidate();
      await navigate({ to: '/' });
    } catch (caught) {
      if (!(caught instanceof ApiFailure)) throw caught;
      setError(caught);
    } finally {
      setIsBusy(false);
    }
  };

  if (token === '') {
    return (
      <Entrance title={t('Open the whole link')}>
        <p className="text-muted">
          {t('The part of the link after the # is missing. Copy it from the message again.')}
        </p>
      </Entrance>
    );
  }
  if (invitation.isError) {
    return (
      <Entrance title={t('Invitation')}>
        <ErrorNote error={invitation.error} />
        <p className="mt-4 text-muted">{t('Ask an owner of the workspace for a new link.')}</p>
      </Entrance>
    );
  }
  if (invitation.isPending || session.isPending) {
    return (
      <Entrance title={t('Invitation')}>
        <Loading />
      </Entrance>
    );
  }
  const { email, role, workspace_name: workspace, has_account: hasAccount } = invitation.data;
  const isSignedIn = session.data?.user.email.toLowerCase() === email.toLowerCase();
  return (
    <Entrance title={t('Join {workspace}', { workspace })}>
      <p className="mb-4 text-muted">
        {rich('The invitation is for {email}. {NOTES}', {
          email: <strong className="text-ink">{email}</strong>,
          NOTES: t(NOTES[role]),
        })}
      </p>
      {hasAccount && !isSignedIn ? (
        <Link to="/sign-in" search={{ next: `/invitation#${token}` }} className={buttonClass('primary')}>
          {t('Sign in as {email}', { email })}
        </Link>
      ) : (
        <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
          {error === null ? null : <ErrorNote error={error} />}
          {hasAccount ? null : (
            <TextField
              label={t('Password')}
              name="password"
              type="password"
              autoComplete="new-password"
              minLength={10}
              maxLength={200}
              hint={t('At least 10 characters.')}
              required
              autoFocus
            />
          )}
          <Button type="submit" look="primary" busy={isBusy}>
            {t('Join')}
          </Button>
          <div className="self-center">
            <CopyCurl
              operation="acceptInvitation"
              input={{ token, ...(hasAccount ? {} : { password: '' }) }}
            />
          </div>
        </form>
      )}
    </Entrance>
  );
}
