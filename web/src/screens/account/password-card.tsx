import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl, RowActions, TextField } from '../../ui/controls.tsx';
import { formText } from '../../ui/form-text.ts';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

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
          change.mutate(
            { password: formText(form, 'password'), new_password: formText(form, 'new_password') },
            { onSuccess: () => form.reset() },
          );
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
