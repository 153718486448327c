import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { call, type Answer } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { useMay } from '../../session/session.ts';
import { Button, CopyCurl, RowActions, TextArea } from '../../ui/controls.tsx';
import { formatCode, formatCount, Time } from '../../ui/format.tsx';
import { Card, EmptyState, ErrorNote, ListWithForm, Loading, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { t } from '../../words/words.ts';

type Entry = Answer<'listDoNotCall'>['numbers'][number];
const SIZE = 200;

export function DoNotCallPage(): ReactNode {
  const { page = 1 } = useSearch({ from: '/app/do-not-call' });
  const navigate = useNavigate({ from: '/do-not-call' });
  const mayChange = useMay('manager');
  const list = useRead('listDoNotCall', { limit: SIZE, offset: (page - 1) * SIZE }, { keep: true });
  const remove = useChange('removeDoNotCall', ['listDoNotCall'], (input) => ({
    text: t('{value} may be called again.', { value: input.mobile_numbers.join(', ') }),
    undo: () => call('addDoNotCall', input),
  }));
  const columns: readonly Column<Entry>[] = [
    { title: 'Number', cell: (entry) => <span className="tabular-nums">{entry.mobile_number}</span> },
    {
      title: 'Why',
      cell: (entry) =>
        ({ ADDED: t('Added by a member or a program'), OPTED_OUT: t('Asked for it during a call') })[
          entry.reason
        ] ?? formatCode(entry.reason),
    },
    { title: 'Since', cell: (entry) => <Time iso={entry.created_at} isBrief /> },
    ...(mayChange
      ? [
          {
            title: 'Action',
            cell: (entry: Entry) => {
              const input = { mobile_numbers: [entry.mobile_number] };
              return (
                <RowActions>
                  <Button onClick={() => remove.mutate(input)}>{t('Allow calls again')}</Button>
                  <CopyCurl
                    operation="removeDoNotCall"
                    input={input}
                    of={t('removal of {mobileNumber}', { mobileNumber: entry.mobile_number })}
                  />
                </RowActions>
              );
            },
          },
        ]
      : []),
  ];
  return (
    <Page
      title={t('Do not call')}
      intro={t(
        'These numbers are never called. People who ask an assistant not to be called again are added automatically.',
      )}
    >
      <ListWithForm form={mayChange ? <AddNumbers /> : null}>
        {remove.isError ? <ErrorNote error={remove.error} /> : null}
        {list.isPending ? (
          <Loading shape="table" />
        ) : list.isError ? (
          <ErrorNote error={list.error} retry={() => void list.refetch()} />
        ) : list.data.numbers.length === 0 ? (
          <EmptyState
            title={t('No number is on the list')}
            icon="shield-off"
            curl={<CopyCurl operation="addDoNotCall" input={{ mobile_numbers: ['+14155550123'] }} />}
          >
            {t('Every number may be called within its windows. Add numbers here, or by the API.')}
          </EmptyState>
        ) : (
          <>
            <Table
              caption={t('Numbers that are never called')}
              columns={columns}
              rows={list.data.numbers}
              keyOf={(entry) => entry.mobile_number}
            />
            <Pager
              total={list.data.total}
              page={page}
              size={SIZE}
              onPage={(next) => void navigate({ search: next > 1 ? { page: next } : {} })}
            />
          </>
        )}
      </ListWithForm>
    </Page>
  );
}

function AddNumbers(): ReactNode {
  const [text, setText] = useState('');
  const add = useChange('addDoNotCall', ['listDoNotCall'], (input, answer) => {
    const { added_count: added, cancelled_count: cancelled } = answer;
    // Cancelled calls stay cancelled, and a number that was listed before stays listed.
    const isReversible = cancelled === 0 && added > 0 && added === input.mobile_numbers.length;
    return {
      text: t('Added {added}, cancelled {cancelled}.', {
        added: formatCount(added, 'number'),
        cancelled: formatCount(cancelled, 'queued call'),
      }),
      undo: isReversible ? () => call('removeDoNotCall', input) : undefined,
    };
  });
  const input = {
    mobile_numbers: text
      .split(/[\n,;]/)
      .map((number) => number.trim())
      .filter(Boolean),
  };
  return (
    <Card title={t('Add numbers')}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate(input, { onSuccess: () => setText(afterSending(text, '')) });
        }}
      >
        <TextArea
          label={t('Numbers with country code, one a line')}
          rows={3}
          required
          value={text}
          hint={t('Queued calls to them are cancelled.')}
          onChange={(event) => setText(event.target.value)}
        />
        {add.isError ? <ErrorNote error={add.error} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={add.isPending}>
            {t('Never call these')}
          </Button>
          <CopyCurl operation="addDoNotCall" input={input} />
        </div>
      </form>
    </Card>
  );
}
