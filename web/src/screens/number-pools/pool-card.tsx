import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button, CopyCurl, RowActions } from '../../ui/controls.tsx';
import { Time } from '../../ui/format.tsx';
import { Badge, ErrorNote } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { NumberChoice, type FreeNumber } from './number-choice.tsx';
import type { Pool } from './types.ts';
import { RenamePool } from './rename-pool.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

type Member = Pool['numbers'][number];
const AFFECTED = ['listNumberPools', 'listNumbers'] as const;

/** One pool: which number calls next, which numbers rest, and its members. */
export function PoolCard({
  pool,
  free,
  onDelete,
}: {
  pool: Pool;
  free: readonly FreeNumber[];
  onDelete: () => void;
}): ReactNode {
  const mayChange = useMay('manager');
  const [isAdding, setIsAdding] = useState(false);
  const [isRenaming, setIsRenaming] = useState(false);
  const remove = useChange('removeNumberPoolMembers', AFFECTED, (input) => ({
    text: t('{numbers} left {pool}.', {
      numbers: namesOf(pool.numbers, input.from_number_ids),
      pool: pool.name,
    }),
    undo: () => call('addNumberPoolMembers', input),
  }));
  const next = pool.numbers.find((number) => !number.is_spam && !isResting(number));
  const columns: readonly Column<Member>[] = [
    { title: 'Number', cell: (member) => <span className="tabular-nums">{member.number}</span> },
    { title: 'Name', cell: (member) => member.display_name },
    { title: 'Rotation', cell: (member) => <Rotation member={member} isNext={member === next} /> },
    { title: 'Last used', cell: (member) => <Time iso={member.last_used_at} isBrief /> },
    ...(mayChange
      ? [
          {
            title: 'Action',
            cell: (member: Member) => {
              const input = { number_pool_id: pool.id, from_number_ids: [member.from_number_id] };
              return (
                <RowActions>
                  <Button
                    aria-label={t('Remove {number} from {name}', { number: member.number, name: pool.name })}
                    busy={
                      remove.isPending && remove.variables.from_number_ids.includes(member.from_number_id)
                    }
                    onClick={() => remove.mutate(input)}
                  >
                    {t('Remove')}
                  </Button>
                  <CopyCurl
                    operation="removeNumberPoolMembers"
                    input={input}
                    of={t('removal of {number}', { number: member.number })}
                  />
                </RowActions>
              );
            },
          },
        ]
      : []),
  ];
  return (
    <section
      aria-label={pool.name}
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-base font-semibold wrap-anywhere">{pool.name}</h2>
        {mayChange ? (
          <div className="flex flex-wrap gap-2">
            <Button aria-expanded={isAdding} onClick={() => setIsAdding(!isAdding)}>
              {t('Add numbers')}
            </Button>
            <Button onClick={() => setIsRenaming(true)}>{t('Rename')}</Button>
            <Button look="danger" onClick={onDelete}>
              {t('Delete')}
            </Button>
          </div>
        ) : null}
      </div>
      {remove.isError ? <ErrorNote error={remove.error} /> : null}
      {isRenaming ? <RenamePool pool={pool} onClose={() => setIsRenaming(false)} /> : null}
      {isAdding ? <AddMembers pool={pool} free={free} onDone={() => setIsAdding(false)} /> : null}
      {pool.numbers.length === 0 ? (
        <p className="text-muted">{t('The pool has no numbers, so no call can use it.')}</p>
      ) : (
        <Table
          caption={t('Numbers of {name}', { name: pool.name })}
          columns={columns}
          rows={pool.numbers}
          keyOf={(member) => member.from_number_id}
        />
      )}
    </section>
  );
}

const namesOf = (
  numbers: readonly { number: string; id?: string; from_number_id?: string }[],
  ids: readonly string[],
): string =>
  numbers
    .filter(({ id, from_number_id: memberId }) => ids.includes(memberId ?? id ?? ''))
    .map(({ number }) => number)
    .join(', ');

const isResting = ({ resting_until: until }: Member): boolean =>
  until !== null && Date.parse(until) > Date.now();

function Rotation({ member, isNext }: { member: Member; isNext: boolean }): ReactNode {
  if (member.is_spam) return <Badge tone="bad">{t('Marked as spam')}</Badge>;
  if (isResting(member)) {
    return (
      <span className="flex flex-wrap items-center gap-2">
        {rich('{badge} until {time}', {
          badge: <Badge tone="warn">{t('Rests')}</Badge>,
          time: <Time iso={member.resting_until} isBrief />,
        })}
      </span>
    );
  }
  return isNext ? (
    <Badge tone="accent">{t('Next')}</Badge>
  ) : (
    <span className="text-muted">{t('In rotation')}</span>
  );
}

function AddMembers({
  pool,
  free,
  onDone,
}: {
  pool: Pool;
  free: readonly FreeNumber[];
  onDone: () => void;
}): ReactNode {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const add = useChange('addNumberPoolMembers', AFFECTED, (input) => ({
    text: t('{numbers} joined {pool}.', { numbers: namesOf(free, input.from_number_ids), pool: pool.name }),
    undo: () => call('removeNumberPoolMembers', input),
  }));
  const input = { number_pool_id: pool.id, from_number_ids: [...chosen] };
  return (
    <form
      className="flex flex-col gap-3 rounded-md bg-raised p-4"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(input, { onSuccess: onDone });
      }}
    >
      <NumberChoice
        legend={t('Add to {name}', { name: pool.name })}
        free={free}
        chosen={chosen}
        onChange={setChosen}
      />
      {add.isError ? <ErrorNote error={add.error} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" disabled={chosen.length === 0} busy={add.isPending}>
          {t('Add')}
        </Button>
        <CopyCurl operation="addNumberPoolMembers" input={input} />
      </div>
    </form>
  );
}
