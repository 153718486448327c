import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyCurl } from '../../ui/controls.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { EmptyState, ListWithForm, Page } from '../../ui/page.tsx';
import { CreatePool } from './create-pool.tsx';
import { PoolCard } from './pool-card.tsx';
import type { Pool } from './types.ts';
import { t } from '../../words/words.ts';

/** Number pools: their rotation, their members, and new ones. */
export function NumberPoolsPage(): ReactNode {
  const mayChange = useMay('manager');
  const pools = useRead('listNumberPools', {});
  const numbers = useRead('listNumbers', {});
  const remove = useChange('deleteNumberPool', ['listNumberPools', 'listNumbers'], () =>
    t('The pool is deleted.'),
  );
  const [deleting, setDeleting] = useState<Pool | null>(null);
  const free = (numbers.data?.workspace_numbers ?? []).filter(
    (number) => number.number_pool_id === null && !number.is_test_number,
  );
  const close = (): void => {
    remove.reset();
    setDeleting(null);
  };
  return (
    <Page
      title={t('Number pools')}
      intro={t(
        'A call that is placed with a pool takes its least recently used number, so that no number is seen too often. Numbers that are answered much less than the others rest for a while.',
      )}
    >
      <ListWithForm form={mayChange ? <CreatePool free={free} /> : null}>
        <Loaded read={pools}>
          {({ number_pools: list }) =>
            list.length === 0 ? (
              <EmptyState
                title={t('No number pools yet')}
                icon="hash"
                curl={
                  <CopyCurl
                    operation="createNumberPool"
                    input={{ name: 'North', from_number_ids: free.map(({ id }) => id) }}
                  />
                }
              >
                {t(
                  'Calls use one number each until a pool has several. Campaigns choose a pool in place of a number.',
                )}
              </EmptyState>
            ) : (
              list.map((pool) => (
                <PoolCard key={pool.id} pool={pool} free={free} onDelete={() => setDeleting(pool)} />
              ))
            )
          }
        </Loaded>
      </ListWithForm>
      {deleting === null ? null : (
        <ConfirmDialog
          title={t('Delete {name}', { name: deleting.name })}
          action={t('Delete the pool')}
          isBusy={remove.isPending}
          error={remove.error}
          curl={<CopyCurl operation="deleteNumberPool" input={{ number_pool_id: deleting.id }} />}
          onClose={close}
          onConfirm={() => remove.mutate({ number_pool_id: deleting.id }, { onSuccess: close })}
        >
          {t('Its numbers stay in the workspace and belong to no pool.')}
        </ConfirmDialog>
      )}
    </Page>
  );
}
