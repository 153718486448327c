import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { Button, CopyCurl, TextField } from '../../ui/controls.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { NumberChoice, type FreeNumber } from './number-choice.tsx';
import { t } from '../../words/words.ts';

/** A new pool with its first numbers. */
export function CreatePool({ free }: { free: readonly FreeNumber[] }): ReactNode {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const create = useChange('createNumberPool', ['listNumberPools', 'listNumbers'], (input) =>
    t('The pool {name} is created.', { name: input.name }),
  );
  const input = { name: name.trim(), from_number_ids: [...chosen] };
  return (
    <Card title={t('New pool')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(input, {
            onSuccess: () => {
              setName(afterSending(name, ''));
              setChosen(afterSending<readonly string[]>(chosen, []));
            },
          });
        }}
      >
        <TextField
          label={t('Name of the pool')}
          required
          maxLength={100}
          value={name}
          error={create.error?.fields.get('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <NumberChoice
          legend={t('Numbers of the new pool')}
          free={free}
          chosen={chosen}
          onChange={setChosen}
        />
        {create.isError ? <ErrorNote error={create.error} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={create.isPending}>
            {t('Create the pool')}
          </Button>
          <CopyCurl operation="createNumberPool" input={input} />
        </div>
      </form>
    </Card>
  );
}
