import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { sessionQuery } from '../../session/session.ts';
import { Button, CopyButton, CopyCurl, RowActions, TextField } from '../../ui/controls.tsx';
import { formText } from '../../ui/form-text.ts';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

/** Turns two-step sign-in on and off. Both ask for the password, and turning it off for a code. */
export function TwoStepCard(): ReactNode {
  const session = useQuery(sessionQuery);
  const [recovery, setRecovery] = useState<readonly string[] | null>(null);
  const isOn = session.data?.user.two_step === true;
  const reload = (): void => void session.refetch();
  return (
    <Card title={t('Two-step sign-in')}>
      {recovery === null ? null : (
        <div role="status" className="mb-4 rounded-md border border-good p-4">
          <p className="mb-2 font-medium">
            {t(
              'Two-step sign-in is on. Keep these recovery codes: each signs you in once without the app. They are shown only now.',
            )}
          </p>
          <pre className="mb-3 rounded-md bg-raised p-3 font-mono">{recovery.join('\n')}</pre>
          <div className="flex gap-2">
            <CopyButton text={recovery.join('\n')} />
            <Button onClick={() => setRecovery(null)}>{t('I stored them')}</Button>
          </div>
        </div>
      )}
      {isOn ? (
        <TurnOff codesLeft={session.data?.user.recovery_codes_left ?? 0} onDone={reload} />
      ) : (
        <TurnOn
          onDone={(codes) => {
            setRecovery(codes);
            reload();
          }}
        />
      )}
    </Card>
  );
}

function TurnOn({ onDone }: { onDone: (codes: readonly string[]) => void }): ReactNode {
  const begin = useChange('beginTwoStep');
  const confirm = useChange('confirmTwoStep', ['listSessions']);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    if (begin.data === undefined) begin.mutate({ password: formText(form, 'password') });
    else {
      confirm.mutate(
        { code: formText(form, 'code') },
        { onSuccess: (answer) => onDone(answer.recovery_codes) },
      );
    }
  };
  const error = begin.error ?? confirm.error;
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <p className="text-muted">
        {t('Besides the password, signing in then asks for a code of an authenticator app on your phone.')}
      </p>
      {error === null ? null : <ErrorNote error={error} />}
      {begin.data === undefined ? (
        <TextField
          label={t('Your password')}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      ) : (
        <>
          <div>
            <p className="mb-2">
              {rich('Add this key to the app, or {a}:', {
                a: (
                  <a className="text-accent underline" href={begin.data.url}>
                    {t('open it there')}
                  </a>
                ),
              })}
            </p>
            <div className="flex flex-wrap items-center gap-3">
              <code className="rounded-md bg-raised px-3 py-2 font-mono break-all">{begin.data.secret}</code>
              <CopyButton text={begin.data.secret} />
            </div>
          </div>
          <TextField
            label={t('Code of the app')}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            minLength={6}
            maxLength={7}
            required
          />
        </>
      )}
      <RowActions>
        <Button type="submit" look="primary" busy={begin.isPending || confirm.isPending}>
          {begin.data === undefined ? t('Set up') : t('Turn on')}
        </Button>
        {begin.data === undefined ? (
          <CopyCurl operation="beginTwoStep" input={{ password: '' }} />
        ) : (
          <CopyCurl operation="confirmTwoStep" input={{ code: '' }} />
        )}
      </RowActions>
    </form>
  );
}

function TurnOff({ codesLeft, onDone }: { codesLeft: number; onDone: () => void }): ReactNode {
  const end = useChange('endTwoStep');
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const input = { password: formText(form, 'password'), code: formText(form, 'code') };
        end.mutate(input, { onSuccess: onDone });
      }}
    >
      <p className="text-muted">
        {codesLeft === 1
          ? t('It is on. 1 recovery code is left.')
          : t('It is on. {count} recovery codes are left.', { count: codesLeft })}
      </p>
      {end.isError ? <ErrorNote error={end.error} /> : null}
      <TextField
        label={t('Your password')}
        name="password"
        type="password"
        autoComplete="current-password"
        required
      />
      <TextField
        label={t('Code of the app, or a recovery code')}
        name="code"
        autoComplete="one-time-code"
        minLength={6}
        maxLength={20}
        required
      />
      <RowActions>
        <Button type="submit" look="danger" busy={end.isPending}>
          {t('Turn off')}
        </Button>
        <CopyCurl operation="endTwoStep" input={{ password: '', code: '' }} />
      </RowActions>
    </form>
  );
}
