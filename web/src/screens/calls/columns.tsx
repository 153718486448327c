import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { CallResult } from '../../parts/call-result.tsx';
import { callName, numberOf, ownNumber, personNumber } from '../../parts/call-name.ts';
import { CallStatus, hangUpName } from '../../parts/call-status.tsx';
import { Ago } from '../../ui/ago.tsx';
import { Elapsed } from '../../ui/elapsed.tsx';
import { formatNumber, formatSeconds } from '../../ui/format.tsx';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
import type { Column } from '../../ui/table.tsx';
import { t } from '../../words/words.ts';

export type Call = Answer<'listCalls'>['calls'][number];

export const callIdOf = (call: Call): string => call.call_id;

/** What stands for the time of a call that has none. */
const NOT_DIALLED: Readonly<Record<string, string>> = {
  registered: 'Waiting',
  retry: 'Waiting',
  ongoing: 'Dialling',
};

/** When a call was dialled last, or what it waits for. */
const Dialled = ({ call, zone }: { call: Call; zone?: string | undefined }): ReactNode =>
  call.last_dialed_at === null ? (
    t(NOT_DIALLED[call.call_status] ?? 'Not dialled')
  ) : (
    <Ago iso={call.last_dialed_at} zone={zone} />
  );

/** A call on a phone: who, what came of it, and when. */
export const phoneRow = (call: Call): PhoneRow => ({
  title: (
    <Link to="/calls/$callId" params={{ callId: call.call_id }} className="text-ink no-underline">
      {callName(call)}
    </Link>
  ),
  state: <CallResult call={call} isAlone />,
  detail: [call.callee_name === '' ? '' : personNumber(call), call.agent_name ?? '']
    .filter(Boolean)
    .join(' · '),
  time: <Dialled call={call} />,
});

/** The columns of the list. `zones`: of the calling window of each assistant. */
export const columnsOf = (zones: ReadonlyMap<string, string>): readonly Column<Call>[] => [
  {
    title: 'Started',
    cell: (call) => (
      <Link to="/calls/$callId" params={{ callId: call.call_id }} className="font-medium text-accent">
        <Dialled call={call} zone={zones.get(call.agent_id)} />
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
    title: 'Person',
    cell: (call) => (
      <span className="flex items-baseline gap-x-2">
        {call.callee_name === '' ? null : (
          <span className="truncate" title={call.callee_name}>
            {call.callee_name}
          </span>
        )}
        <span className={`shrink-0 tabular-nums ${call.callee_name === '' ? '' : 'text-muted'}`}>
          {numberOf(personNumber(call))}
        </span>
      </span>
    ),
    isLong: true,
  },
  {
    title: 'Your number',
    cell: (call) => <span className="whitespace-nowrap tabular-nums">{ownNumber(call)}</span>,
    isMinor: true,
  },
  {
    title: 'Assistant',
    cell: (call) =>
      call.agent_name === null ? (
        <span className="text-muted">{t('Deleted')}</span>
      ) : (
        <span title={call.agent_name}>{call.agent_name}</span>
      ),
    isLong: true,
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
