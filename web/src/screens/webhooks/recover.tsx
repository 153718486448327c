import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl, TextField } from '../../ui/controls.tsx';
import { formatNumber } from '../../ui/format.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const HOUR_MS = 3_600_000;
/** The value of a datetime-local field, in the reader's zone. */
function localHoursAgo(hours: number): string {
  const at = new Date(Date.now() - hours * HOUR_MS);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Sends every delivery again that failed since a time, after an outage of a receiver. */
export function Recover(): ReactNode {
  const [since, setSince] = useState(() => localHoursAgo(24));
  const recover = useChange(
    'recoverDeliveries',
    ['listDeliveries', 'listFailures', 'getOverview'],
    (_, { recovered_count: count }) =>
      count === 0
        ? t('No delivery failed since then: none is sent again.')
        : count === 1
          ? t('1 delivery is sent again.')
          : t('{count} deliveries are sent again.', { count: formatNumber(count) }),
  );
  const at = new Date(since);
  const input = { since: Number.isNaN(at.getTime()) ? '' : at.toISOString() };
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        recover.mutate(input);
      }}
    >
      <TextField
        label={t('Failed since, in your time zone')}
        type="datetime-local"
        required
        value={since}
        error={recover.error?.fields.get('since')}
        onChange={(event) => setSince(event.target.value)}
      />
      <Button type="submit" busy={recover.isPending}>
        {t('Resend these')}
      </Button>
      <CopyCurl operation="recoverDeliveries" input={input} />
      {recover.isError ? <ErrorNote error={recover.error} /> : null}
    </form>
  );
}
