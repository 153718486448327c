import { Link } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { ApiFailure, call } from '../../api/client.ts';
import { Entrance } from '../../shell/entrance.tsx';
import { Button, buttonClass, CopyCurl, TextField } from '../../ui/controls.tsx';
import { formText } from '../../ui/form-text.ts';
import { ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

/** Sets a new password with the link of an owner or of the operator. */
export function NewPasswordPage(): ReactNode {
  const token = location.hash.slice(1);
  const [error, setError] = useState<ApiFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [isSet, setIsSet] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const password = formText(event.currentTarget, 'password');
    setIsBusy(true);
    setError(null);
    try {
      await call('usePasswordLink', { token, password });
      setIsSet(true);
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
  if (isSet) {
    return (
      <Entrance title={t('The password is set')}>
        <Link to="/sign-in" className={buttonClass('primary')}>
          {t('Sign in')}
        </Link>
      </Entrance>
    );
  }
  return (
    <Entrance title={t('Set a new password')}>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        {error === null ? null : <ErrorNote error={error} />}
        <TextField
          label={t('New password')}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={10}
          maxLength={200}
          hint={t('At least 10 characters. All your sessions end.')}
          required
          autoFocus
        />
        <Button type="submit" look="primary" busy={isBusy}>
          {t('Set the password')}
        </Button>
        <div className="self-center">
          <CopyCurl operation="usePasswordLink" input={{ token, password: '' }} />
        </div>
      </form>
    </Entrance>
  );
}
