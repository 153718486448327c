import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { formatCount, formatNumber } from '../../ui/format.tsx';

/** Receivers that accept nothing since a delivery was given up; nothing while all are well. */
export function FailingWebhooks(): ReactNode {
  const failures = useRead('listFailures', { limit: 1 });
  const receivers = failures.data?.receivers ?? [];
  if (receivers.length === 0) return null;
  const kept = receivers.reduce((sum, receiver) => sum + receiver.kept_count, 0);
  const off = receivers.filter((receiver) => receiver.disabled_at !== null).length;
  return (
    <p role="status" className="rounded-md border border-bad bg-surface px-4 py-3">
      <span className="font-medium text-bad">
        {`${formatCount(receivers.length, 'webhook receiver')} ${receivers.length === 1 ? 'accepts' : 'accept'} nothing.`}
      </span>{' '}
      {off === 0 ? '' : `${formatNumber(off)} of them disabled after five days. `}
      {kept === 0 ? '' : `${formatNumber(kept)} kept until it is back. `}
      <Link to="/webhooks" className="text-accent underline">
        See since when
      </Link>
    </p>
  );
}
