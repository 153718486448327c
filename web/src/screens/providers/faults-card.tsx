import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Badge, Card } from '../../ui/page.tsx';
import { PART_NAMES, vendorTitle } from '../../parts/vendors.ts';
import { ADVICE } from './vendor-test.tsx';
import { faultMessage } from '../../parts/vendor-fault.ts';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

/** What went wrong at vendors in calls of the last 24 hours; nothing when all went well. */
export function FaultsCard({ faults }: { faults: Answer<'getProviders'>['faults'] }): ReactNode {
  if (faults.length === 0) return null;
  return (
    <Card title={t('Faults in calls of the last 24 hours')}>
      <ul className="flex flex-col gap-3" aria-label={t('Faults of vendors')}>
        {faults.map(({ part, vendor, reason, message, last_at: last, count }) => (
          <li key={`${part} ${vendor}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <Badge tone="bad">{formatNumber(count)}×</Badge>
            <span className="font-medium">
              {vendorTitle(vendor)}, {t(PART_NAMES[part] ?? part)}
            </span>
            <span className="wrap-anywhere">{faultMessage(message)}</span>
            <span className="basis-full text-sm text-muted">
              {rich('{ADVICE} Last: {time}', {
                ADVICE: t(ADVICE[reason] ?? ''),
                time: <Time iso={last} isBrief />,
              })}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
