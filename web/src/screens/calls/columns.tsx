import { Link } from '@tanstack/react-router';
import type { Answer } from '../../api/client.ts';
import { CallResult } from '../../parts/call-result.tsx';
import { numberOf } from '../../parts/call-name.ts';
import { CallStatus, hangUpName } from '../../parts/call-status.tsx';
import { Elapsed } from '../../ui/elapsed.tsx';
import { formatNumber, formatSeconds, Time } from '../../ui/format.tsx';
import type { Column } from '../../ui/table.tsx';
import { t } from '../../words/words.ts';

export type Call = Answer<'listCalls'>['calls'][number];

/** What stands for the time of a call that has none. */
const NOT_DIALLED: Readonly<Record<string, string>> = {
  registered: 'Waiting',
  retry: 'Waiting',
  ongoing: 'Dialling',
};

/** The columns of the list. `zones`: of the calling window of each assistant. */
export const columnsOf = (zones: ReadonlyMap<string, string>): readonly Column<Call>[] => [
  {
    title: 'Started',
    cell: (call) => (
      <Link to="/calls/$callId" params={{ callId: call.call_id }} className="font-medium text-accent">
        {call.last_dialed_at === null ? (
          t(NOT_DIALLED[call.call_status] ?? 'Not dialled')
        ) : (
          <Time iso={call.last_dialed_at} isBrief zone={zones.get(call.agent_id)} />
        )}
      </Link>
    ),
  },
  { title: 'Result', cell: (call) => <CallResult call={call} /> },
  {
    title: 'Status',
    cell: (call) => <CallStatus status={call.call_status} subStatus={call.call_sub_status} />,
    isMinor: true,
  },
  {
    title: 'Callee',
    cell: (call) => (
      <span className="flex flex-wrap items-baseline gap-x-2 max-sm:justify-end">
        {call.callee_name === '' ? null : <span className="wrap-anywhere">{call.callee_name}</span>}
        <span className={`whitespace-nowrap tabular-nums ${call.callee_name === '' ? '' : 'text-muted'}`}>
          {numberOf(call.to_number)}
        </span>
      </span>
    ),
  },
  {
    title: 'Caller',
    cell: (call) => <span className="whitespace-nowrap tabular-nums">{call.from_number}</span>,
    isMinor: true,
  },
  {
    title: 'Assistant',
    cell: (call) => call.agent_name ?? <span className="text-muted">{t('Deleted')}</span>,
  },
  { title: 'Hung up by', cell: (call) => hangUpName(call.hangup_by) },
  {
    title: 'Duration',
    cell: (call) =>
      call.call_status === 'ongoing' && call.answered_at !== null ? (
        <Elapsed since={call.answered_at} />
      ) : (
        formatSeconds(call.call_duration)
      ),
    isNumber: true,
  },
  { title: 'Credits', cell: (call) => formatNumber(call.call_cost), isNumber: true, isMinor: true },
];
