import type { ReactNode } from 'react';
import type { Input } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl, RowActions, TextField } from '../../ui/controls.tsx';
import { formText } from '../../ui/form-text.ts';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const typedIn = (form: HTMLFormElement): Input<'changePassword'> => ({
  password: formText(form, 'password'),
  new_password: formText(form, 'new_password'),
});

export function PasswordCard(): ReactNode {
  const change = useChange('changePassword', ['listSessions'], () =>
    t('The password is changed. Every other session has ended.'),
  );
  return (
    <Card title={t('Password')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const sent = typedIn(form);
          change.mutate(sent, {
            onSuccess: () => {
              const now = typedIn(form);
              if (now.password === sent.password && now.new_password === sent.new_password) form.reset();
            },
          });
        }}
      >
        {change.isError ? <ErrorNote error={change.error} /> : null}
        <TextField
          label={t('Current password')}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <TextField
          label={t('New password')}
          name="new_password"
          type="password"
          autoComplete="new-password"
          minLength={10}
          maxLength={200}
          hint={t('At least 10 characters.')}
          required
        />
        <RowActions>
          <Button type="submit" look="primary" busy={change.isPending}>
            {t('Change password')}
          </Button>
          <CopyCurl operation="changePassword" input={{ password: '', new_password: '' }} />
        </RowActions>
      </form>
    </Card>
  );
}
