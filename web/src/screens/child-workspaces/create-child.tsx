import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { sessionQuery } from '../../session/session.ts';
import { Button, CopyCurl, TextField } from '../../ui/controls.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

/** A new child workspace; the switcher above the navigation lists it at once. */
export function CreateChild(): ReactNode {
  const [name, setName] = useState('');
  const client = useQueryClient();
  const create = useChange('createSubWorkspace', ['listSubWorkspaces'], () =>
    t('The child workspace is created.'),
  );
  const input = { name: name.trim() };
  return (
    <Card title={t('New child workspace')}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(input, {
            onSuccess: () => {
              setName(afterSending(name, ''));
              void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
            },
          });
        }}
      >
        <TextField
          label={t('Name of the child workspace')}
          required
          maxLength={100}
          value={name}
          hint={t(
            'It starts without a key and numbers, shares the concurrent calls of this workspace and has its limits.',
          )}
          error={create.error?.fields.get('name')}
          onChange={(event) => setName(event.target.value)}
        />
        {create.isError ? <ErrorNote error={create.error} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={create.isPending}>
            {t('Create')}
          </Button>
          <CopyCurl operation="createSubWorkspace" input={input} />
        </div>
      </form>
    </Card>
  );
}
