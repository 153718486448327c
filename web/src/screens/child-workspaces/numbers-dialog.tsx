import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { Button, CheckField } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import type { Child } from './types.ts';
import { t } from '../../words/words.ts';

const AFFECTED = ['listSubWorkspaces', 'listNumbers', 'listNumberPools'] as const;

/** Moves numbers and pools from this workspace to a child, and back. */
export function NumbersDialog({ child, onClose }: { child: Child; onClose: () => void }): ReactNode {
  const numbers = useRead('listNumbers', {});
  const pools = useRead('listNumberPools', {});
  const own = (numbers.data?.workspace_numbers ?? []).filter(({ number_pool_id: pool }) => pool === null);
  return (
    <Dialog title={t('Numbers of {name}', { name: child.name })} onClose={onClose}>
      <div className="flex flex-col gap-6">
        <Move
          legend={t('Numbers of this workspace, to give to {name}', { name: child.name })}
          none="Every number is in a pool or in a child already."
          action={t('Give numbers')}
          to={child.id}
          numbers={own}
          pools={pools.data?.number_pools ?? []}
        />
        <Move
          legend={t('Numbers of {name}, to take back', { name: child.name })}
          none="It has no numbers."
          action={t('Take numbers back')}
          to={child.parent_workspace_id ?? child.id}
          numbers={child.numbers.filter(({ number_pool_id: pool }) => pool === null)}
          pools={child.number_pools}
        />
      </div>
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>{t('Close')}</Button>
      </div>
    </Dialog>
  );
}

/** One direction: chosen numbers, and each pool as a whole. */
function Move({
  legend,
  none,
  action,
  to,
  numbers,
  pools,
}: {
  legend: string;
  none: string;
  action: string;
  to: string;
  numbers: readonly { readonly id: string; readonly number: string }[];
  pools: readonly { readonly id: string; readonly name: string }[];
}): ReactNode {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const move = useChange('moveNumbers', AFFECTED, () => t('The numbers are moved.'));
  const movePool = useChange('moveNumberPool', AFFECTED, () => t('The pool is moved with its numbers.'));
  const ids = chosen.filter((id) => numbers.some((number) => number.id === id));
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        move.mutate({ workspace_id: to, from_number_ids: [...ids] });
      }}
    >
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 text-sm font-medium">{legend}</legend>
        {numbers.length === 0 ? <p className="text-muted">{t(none)}</p> : null}
        {numbers.map(({ id, number }) => (
          <CheckField
            key={id}
            label={<span className="tabular-nums">{number}</span>}
            checked={ids.includes(id)}
            onChange={({ target: { checked } }) =>
              setChosen(checked ? [...ids, id] : ids.filter((each) => each !== id))
            }
          />
        ))}
      </fieldset>
      {move.isError ? <ErrorNote error={move.error} /> : null}
      {movePool.isError ? <ErrorNote error={movePool.error} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={move.isPending} disabled={ids.length === 0}>
          {action}
        </Button>
        {pools.map(({ id, name }) => (
          <Button
            key={id}
            busy={movePool.isPending}
            onClick={() => movePool.mutate({ workspace_id: to, number_pool_id: id })}
          >
            {t('Move the pool {name}', { name })}
          </Button>
        ))}
      </div>
    </form>
  );
}
