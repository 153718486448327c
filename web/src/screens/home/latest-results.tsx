import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { CallResult } from '../../parts/call-result.tsx';
import { callName } from '../../parts/call-name.ts';
import { Ago } from '../../ui/ago.tsx';
import { Card } from '../../ui/page.tsx';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { t } from '../../words/words.ts';

type Call = Answer<'listCalls'>['calls'][number];
const SHOWN = 6;
/** Made when shown: the words are loaded by then. */
const columns = (): readonly Column<Call>[] => [
  {
    title: t('Person'),
    cell: (call) => (
      <Link
        to="/calls/$callId"
        params={{ callId: call.call_id }}
        className="font-medium wrap-anywhere text-ink"
      >
        {callName(call)}
      </Link>
    ),
  },
  { title: t('Result'), cell: (call) => <CallResult call={call} /> },
  {
    title: t('Assistant'),
    cell: (call) => <span className="text-muted">{call.agent_name}</span>,
    isMinor: true,
  },
  { title: t('When'), cell: (call) => <Ago iso={call.last_dialed_at ?? call.initiation_time} /> },
];

/** A call on a phone: who, what came of it, with which assistant, and when. */
const phoneRow = (call: Call): PhoneRow => ({
  title: (
    <Link to="/calls/$callId" params={{ callId: call.call_id }} className="text-ink no-underline">
      {callName(call)}
    </Link>
  ),
  state: <CallResult call={call} isAlone />,
  detail: call.agent_name,
  time: <Ago iso={call.last_dialed_at ?? call.initiation_time} />,
});

/** What came of the calls that rang last; nothing before the first one. */
export function LatestResults(): ReactNode {
  const { data } = useRead('listCalls', { limit: SHOWN, dialled: true });
  if (data === undefined || data.calls.length === 0) return null;
  return (
    <Card
      title={t('Latest results')}
      isFlush
      aside={
        <Link to="/calls" className="text-muted">
          {t('See all')}
        </Link>
      }
    >
      <Table
        caption={t('Latest results')}
        isBare
        columns={columns()}
        rows={data.calls}
        keyOf={(call) => call.call_id}
        phone={phoneRow}
        isList={false}
      />
    </Card>
  );
}
