import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatNumber } from '../../ui/format.tsx';
import { Card } from '../../ui/page.tsx';
import type { Campaign } from './types.ts';
import { MessagePace } from './message-pace.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

const PARTS = [
  { key: 'completed_count', name: 'Completed', className: 'bg-good' },
  { key: 'ongoing_count', name: 'Live', className: 'bg-accent' },
  { key: 'retry_count', name: 'Waiting for a retry', className: 'bg-amber' },
  { key: 'failed_count', name: 'Failed', className: 'bg-bad' },
  { key: 'cancelled_count', name: 'Cancelled', className: 'bg-muted' },
  { key: 'registered_count', name: 'Not called yet', className: 'bg-quiet' },
] as const;

/** Of a campaign of messages. */
const WRITTEN: Readonly<Partial<Record<(typeof PARTS)[number]['key'], string>>> = {
  ongoing_count: 'Being sent',
  registered_count: 'Not sent yet',
};

/** Contacts that no call or message will reach any more. */
const finishedOf = (campaign: Campaign): number =>
  campaign.completed_count + campaign.failed_count + campaign.cancelled_count;

/** The contacts by state. */
export function Progress({ campaign, isRunning }: { campaign: Campaign; isRunning: boolean }): ReactNode {
  const isWritten = campaign.channel === 'whatsapp';
  const total = campaign.total_count;
  const finished = finishedOf(campaign);
  return (
    <Card title={t('Progress')}>
      <p className="mb-3 text-muted">
        {rich('{finished} of {total} contacts are finished. {isWritten}', {
          finished: formatNumber(finished),
          total: formatNumber(total),
          isWritten: isWritten && isRunning ? <MessagePace finished={finished} total={total} /> : null,
        })}
      </p>
      <div className="flex h-4 overflow-hidden rounded-md border border-line bg-quiet" aria-hidden="true">
        {PARTS.map((part) => (
          <span
            key={part.key}
            className={part.className}
            style={{ width: `${total === 0 ? 0 : (campaign[part.key] / total) * 100}%` }}
          />
        ))}
      </div>
      <dl className="mt-4 grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-3 lg:grid-cols-6">
        {PARTS.map((part) => (
          <div key={part.key}>
            <dt className="flex items-center gap-1.5 text-sm text-muted">
              <span
                aria-hidden="true"
                // Its frame shows the colour that is close to the card's own.
                className={`size-2.5 rounded-sm border ${part.className === 'bg-quiet' ? 'border-muted' : 'border-line'} ${part.className}`}
              />
              {t((isWritten ? WRITTEN[part.key] : undefined) ?? part.name)}
            </dt>
            <dd className="text-lg font-semibold tabular-nums">{formatNumber(campaign[part.key])}</dd>
          </div>
        ))}
      </dl>
      {isWritten || campaign.ongoing_count === 0 ? null : (
        <p className="mt-4">
          <Link to="/live" className="text-accent underline">
            {t('Follow the live calls')}
          </Link>
        </p>
      )}
    </Card>
  );
}
