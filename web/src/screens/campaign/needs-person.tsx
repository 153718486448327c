import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button, CopyButton, RowActions } from '../../ui/controls.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
import { Stat } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { CallDialogLoader } from '../agent/call-dialog-loader.tsx';
import { t } from '../../words/words.ts';

type Call = Answer<'listCalls'>['calls'][number];
/** The latest calls of a result; the contacts of the campaign list all of them. */
const SHOWN = 50;
/** An erased call has only a mask. */
const WHOLE_NUMBER = /^\+\d+$/;
export const LIST_ID = 'needs-person';

const reachable = ({ to_number: number }: Call): string => (WHOLE_NUMBER.test(number) ? number : '');

/** How many people asked to speak with a person, and the button that shows them. */
export const PersonStat = ({
  count,
  isOpen,
  onToggle,
}: {
  count: number;
  isOpen: boolean;
  onToggle: () => void;
}): ReactNode => (
  <Stat name={t('Needs a person')} value={formatNumber(count)}>
    <div className="flex flex-col items-start gap-2">
      {t('They asked the assistant for a person.')}
      <Button aria-expanded={isOpen} aria-controls={LIST_ID} onClick={onToggle}>
        {isOpen ? t('Hide the people') : t('Show the people')}
      </Button>
    </div>
  </Stat>
);

/** The people whose calls have a result, the latest call first, each with the ways to call back. */
export function PersonList({
  campaignId,
  result,
  words,
}: {
  campaignId: string;
  result: string;
  /** The result in the reader's language. */
  words: string;
}): ReactNode {
  const mayCall = useMay('manager');
  const [called, setCalled] = useState<Call | null>(null);
  const read = useRead('listCalls', { bulk_list_id: campaignId, result, limit: SHOWN });
  const actions = (call: Call): ReactNode => {
    const number = reachable(call);
    const who = call.callee_name || number;
    return number === '' ? null : (
      <RowActions>
        {mayCall ? (
          <Button aria-label={t('Call back {who}', { who })} onClick={() => setCalled(call)}>
            {t('Call back')}
          </Button>
        ) : null}
        <CopyButton text={number} label={t('Copy number')} name={t('Copy the number of {who}', { who })} />
      </RowActions>
    );
  };
  const columns: readonly Column<Call>[] = [
    {
      title: 'Person',
      cell: (call) => (
        <span className="flex items-baseline gap-x-2">
          <Link
            to="/calls/$callId"
            params={{ callId: call.call_id }}
            className="shrink-0 text-accent tabular-nums"
          >
            {call.to_number || t('Erased')}
          </Link>
          <span className="truncate text-muted" title={call.callee_name}>
            {call.callee_name}
          </span>
        </span>
      ),
      isLong: true,
    },
    { title: 'Last call', cell: (call) => <Time iso={call.last_dialed_at} isBrief /> },
    { title: 'Action', cell: actions },
  ];
  const phone = (call: Call): PhoneRow => ({
    title: (
      <Link to="/calls/$callId" params={{ callId: call.call_id }} className="text-ink no-underline">
        {call.callee_name || call.to_number || t('Erased')}
      </Link>
    ),
    detail: call.callee_name === '' ? '' : call.to_number,
    time: <Time iso={call.last_dialed_at} isBrief />,
    actions: actions(call),
  });
  return (
    <section aria-label={words} className="flex flex-col gap-3">
      <h2 className="text-base font-semibold">{words}</h2>
      <Loaded read={read}>
        {({ calls, total }) => (
          <>
            <Table
              caption={words}
              columns={columns}
              rows={calls}
              keyOf={(call) => call.call_id}
              phone={phone}
            />
            {total > calls.length ? (
              <Link
                to="/campaigns/$campaignId"
                params={{ campaignId }}
                search={{ result }}
                hash="contacts"
                className="text-accent underline"
              >
                {t('All contacts with this result')}
              </Link>
            ) : null}
          </>
        )}
      </Loaded>
      {called === null ? null : (
        <CallDialogLoader
          agentId={called.agent_id}
          begin={{
            ...called.custom_args_values,
            callee_name: called.callee_name,
            mobile_number: called.to_number,
          }}
          onClose={() => setCalled(null)}
        />
      )}
    </section>
  );
}
