import type { ReactNode } from 'react';
import { CallStatus } from '../../parts/call-status.tsx';
import { formatNumber, formatSeconds, Time } from '../../ui/format.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { Call } from './types.ts';
import { outcomeName } from '../../parts/outcomes.ts';
import { failureText } from './failure-text.ts';
import { t } from '../../words/words.ts';

type Attempt = Call['attempts'][number];
/** The far side's own words; a code of the service as words. */
const reasonOf = ({ reason }: Attempt): string | null =>
  reason !== null && /^[A-Z_]+$/.test(reason) ? outcomeName(reason) : reason;
const seconds = (value: number | null): string => (value === null ? '–' : `${formatNumber(value)} s`);

const COLUMNS: readonly Column<Attempt>[] = [
  { title: 'Attempt', cell: (attempt) => attempt.attempt_number },
  { title: 'Started', cell: (attempt) => <Time iso={attempt.started_at} isBrief /> },
  {
    title: 'Outcome',
    cell: (attempt) => <CallStatus status={attempt.status} subStatus={attempt.sub_status} />,
  },
  {
    title: 'SIP, reason',
    cell: (attempt) => {
      const reason = reasonOf(attempt);
      // The far side's reason may begin with the code.
      const code = reason?.startsWith(`${attempt.sip_code} `) === true ? null : attempt.sip_code;
      const ended = [code, reason].filter((part) => part !== null).join(' ') || '–';
      // The message repeats the far side's words.
      return attempt.failure === null ? ended : failureText(attempt.failure);
    },
  },
  { title: 'Setup', cell: (attempt) => seconds(attempt.setup_seconds), isNumber: true },
  { title: 'Rang', cell: (attempt) => seconds(attempt.ring_seconds), isNumber: true },
  { title: 'Talked', cell: (attempt) => formatSeconds(attempt.duration), isNumber: true },
  { title: 'Credits', cell: (attempt) => formatNumber(attempt.cost), isNumber: true },
];

export function Attempts({ call }: { call: Call }): ReactNode {
  return (
    <section>
      <h2 className="mb-3 text-base font-semibold">{t('Attempts')}</h2>
      {call.attempts.length === 0 ? (
        <p className="text-muted">{t('The call was not dialled yet.')}</p>
      ) : (
        <Table
          caption={t('Attempts')}
          columns={COLUMNS}
          rows={call.attempts}
          keyOf={(attempt) => String(attempt.attempt_number)}
        />
      )}
    </section>
  );
}
