import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { formatCount, Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { PART_NAMES } from '../../parts/vendors.ts';
import { faultMessage } from '../../parts/vendor-fault.ts';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

type Providers = Answer<'getProviders'>;
type Fault = Providers['faults'][number];
interface Row {
  readonly part: string;
  readonly vendor: string;
  readonly fault: Fault | null;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Part', cell: (row) => t(PART_NAMES[row.part] ?? row.part) },
  { title: 'Vendor', cell: (row) => row.vendor },
  {
    title: 'Calls of the last 24 hours',
    cell: ({ fault }) =>
      fault === null ? (
        <Badge tone="good">{t('No fault')}</Badge>
      ) : (
        <>
          <Badge tone="bad">{formatCount(fault.count, 'fault')}</Badge>{' '}
          <span className="wrap-anywhere">{faultMessage(fault.message)}</span>{' '}
          <Time iso={fault.last_at} isBrief />
        </>
      ),
  },
];

const PARTS = ['stt', 'llm', 'tts', 's2s'] as const;

/** Vendors with an account and what went wrong with them; one without an account may still have had faults. */
export function rowsOf({ providers, faults }: Providers): Row[] {
  const named = PARTS.flatMap((part) =>
    (providers.available[part] as readonly string[]).map((vendor) => ({ part, vendor })),
  );
  const others = faults.filter(
    ({ part, vendor }) => !named.some((each) => each.part === part && each.vendor === vendor),
  );
  return [...named, ...others].map(({ part, vendor }) => ({
    part,
    vendor,
    fault: faults.find((each) => each.part === part && each.vendor === vendor) ?? null,
  }));
}

/** The health of the vendors in the calls of the workspace. */
export function VendorHealth(): ReactNode {
  const read = useRead('getProviders', {});
  return (
    <section>
      <h2 className="mb-1 text-base font-semibold">{t('Providers')}</h2>
      <p className="mb-3 text-muted">
        {rich('Vendors with an account, in the calls of this workspace. The page {link} tests each.', {
          link: (
            <Link to="/settings/providers" className="text-accent underline">
              {t('Providers')}
            </Link>
          ),
        })}
      </p>
      <Loaded read={read}>
        {(answer) => {
          const rows = rowsOf(answer);
          return rows.length === 0 ? (
            <p className="text-muted">{t('No vendor has an account: calls use the offline parts.')}</p>
          ) : (
            <Table
              caption={t('Health of providers')}
              columns={COLUMNS}
              rows={rows}
              keyOf={(row) => `${row.part} ${row.vendor}`}
            />
          );
        }}
      </Loaded>
    </section>
  );
}
