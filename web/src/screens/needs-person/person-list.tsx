import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { callName, personNumber } from '../../parts/call-name.ts';
import { useMay } from '../../session/session.ts';
import { Ago } from '../../ui/ago.tsx';
import { Button, CopyButton, RowActions } from '../../ui/controls.tsx';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { CallDialogLoader } from '../agent/call-dialog-loader.tsx';
import { t } from '../../words/words.ts';
import type { Call } from './use-open-people.ts';

/** An erased call has only a mask. */
const WHOLE_NUMBER = /^\+\d+$/;

const reachable = (call: Call): string => {
  const number = personNumber(call);
  return WHOLE_NUMBER.test(number) ? number : '';
};

/** The dialog that calls a person back. It is kept outside the lists: it stays when a colleague marks the person as done. */
export function useCallBack(): { readonly callBack: (call: Call) => void; readonly dialog: ReactNode } {
  const [called, setCalled] = useState<Call | null>(null);
  return {
    callBack: setCalled,
    dialog:
      called === null ? null : (
        <CallDialogLoader
          agentId={called.agent_id}
          begin={{
            ...called.custom_args_values,
            callee_name: called.callee_name,
            mobile_number: reachable(called),
          }}
          onClose={() => setCalled(null)}
        />
      ),
  };
}

/** People to work through, the latest call first, each with the ways to call back and "Done". */
export function PersonList({
  caption,
  calls,
  callBack,
  finish,
  isBare = false,
}: {
  caption: string;
  calls: readonly Call[];
  callBack: (call: Call) => void;
  finish: (call: Call) => void;
  /** In a card, which has the frame and no room for a third button: the page of the call has the number. */
  isBare?: boolean;
}): ReactNode {
  const mayCall = useMay('manager');
  const actions = (call: Call): ReactNode => {
    const number = reachable(call);
    const who = callName(call);
    return (
      <RowActions>
        {mayCall && number !== '' && call.agent_name !== null ? (
          <Button aria-label={t('Call back {who}', { who })} onClick={() => callBack(call)}>
            {t('Call back')}
          </Button>
        ) : null}
        {mayCall ? (
          <Button aria-label={t('Mark {who} as done', { who })} onClick={() => finish(call)}>
            {t('Done')}
          </Button>
        ) : null}
        {isBare || number === '' ? null : (
          <CopyButton text={number} label={t('Copy number')} name={t('Copy the number of {who}', { who })} />
        )}
      </RowActions>
    );
  };
  const columns: readonly Column<Call>[] = [
    {
      title: 'Person',
      cell: (call) => (
        <span className="flex flex-wrap items-baseline gap-x-2">
          <Link
            to="/calls/$callId"
            params={{ callId: call.call_id }}
            className="shrink-0 text-accent tabular-nums"
          >
            {personNumber(call) || callName(call)}
          </Link>
          <span className="wrap-anywhere text-muted">{call.callee_name}</span>
        </span>
      ),
    },
    {
      title: 'Last call',
      cell: (call) => <Ago iso={call.last_dialed_at ?? call.initiation_time} />,
    },
    { title: 'Action', cell: actions },
  ];
  const phone = (call: Call): PhoneRow => ({
    title: (
      <Link to="/calls/$callId" params={{ callId: call.call_id }} className="text-ink no-underline">
        {callName(call)}
      </Link>
    ),
    detail: call.callee_name === '' ? '' : personNumber(call),
    time: <Ago iso={call.last_dialed_at ?? call.initiation_time} />,
    actions: actions(call),
  });
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={calls}
      keyOf={(call) => call.call_id}
      phone={phone}
      isBare={isBare}
      isList={false}
    />
  );
}
