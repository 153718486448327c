import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { CopyCurl, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import type { Pool } from './types.ts';
import { t } from '../../words/words.ts';

/** Gives a pool another name; the toast gives the old one back. */
export function RenamePool({ pool, onClose }: { pool: Pool; onClose: () => void }): ReactNode {
  const [name, setName] = useState(pool.name);
  const input = { number_pool_id: pool.id, name: name.trim() };
  const rename = useChange('renameNumberPool', ['listNumberPools', 'listNumbers'], () => ({
    text: t('{before} is now {after}.', { before: pool.name, after: input.name }),
    undo: () => call('renameNumberPool', { number_pool_id: pool.id, name: pool.name }),
  }));
  return (
    <Dialog title={t('Rename {name}', { name: pool.name })} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate(input, { onSuccess: onClose });
        }}
      >
        <TextField
          label={t('Name of the pool')}
          required
          maxLength={100}
          value={name}
          error={rename.error?.fields.get('name')}
          onChange={(event) => setName(event.target.value)}
        />
        {rename.isError ? <ErrorNote error={rename.error} /> : null}
        <DialogActions
          action={t('Rename')}
          isBusy={rename.isPending}
          curl={<CopyCurl operation="renameNumberPool" input={input} />}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
