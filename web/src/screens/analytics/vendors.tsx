import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatNumber, formatSeconds } from '../../ui/format.tsx';
import { formatMoney, PART_NAMES } from '../../parts/vendors.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { Section } from './section.tsx';
import { vendorSheet } from './sheets.ts';
import { t } from '../../words/words.ts';

type Usage = Answer<'getVendorAnalytics'>['data'];
type Vendor = Usage['vendors'][number];
type Agent = Usage['agents'][number];

const agentColumns = (currency: string): readonly Column<Agent>[] => [
  { title: 'Assistant', cell: ({ agent_id, agent_name }) => agent_name ?? agent_id },
  { title: 'Cost', cell: ({ cost }) => formatMoney(cost, currency), isNumber: true },
];

/** What the calls used of each vendor, and its cost. */
export function Vendors({ usage }: { usage: Usage }): ReactNode {
  if (usage.vendors.length === 0) return null;
  const { currency } = usage;
  const columns: readonly Column<Vendor>[] = [
    { title: 'Part', cell: (row) => t(PART_NAMES[row.part] ?? row.part) },
    {
      title: 'Vendor and model',
      cell: (row) => (
        <>
          {row.vendor} <span className="text-muted">{row.model}</span>
        </>
      ),
    },
    { title: 'Calls', cell: (row) => formatNumber(row.calls), isNumber: true },
    {
      title: 'Audio',
      cell: (row) => (row.audio_seconds === 0 ? '–' : formatSeconds(row.audio_seconds)),
      isNumber: true,
    },
    {
      title: 'Tokens in, out',
      cell: (row) =>
        row.input_tokens + row.output_tokens === 0
          ? '–'
          : `${formatNumber(row.input_tokens)}, ${formatNumber(row.output_tokens)}`,
      isNumber: true,
    },
    {
      title: 'Characters',
      cell: (row) => (row.characters === 0 ? '–' : formatNumber(row.characters)),
      isNumber: true,
    },
    {
      title: 'Cost',
      cell: (row) => (row.cost === null ? t('No price') : formatMoney(row.cost, currency)),
      isNumber: true,
    },
  ];
  return (
    <Section
      title={t('Vendors')}
      intro={
        <>
          {t(
            '{cost} in all{costPerMinute}. Prices are those of the installation’s price file, or list prices.',
            {
              cost: formatMoney(usage.cost, currency),
              costPerMinute:
                usage.cost_per_minute === null
                  ? ''
                  : t(', {costPerMinute} per minute of talk', {
                      costPerMinute: formatMoney(usage.cost_per_minute, currency),
                    }),
            },
          )}
        </>
      }
      sheet={vendorSheet(usage)}
    >
      <Table
        caption={t('Usage of vendors')}
        columns={columns}
        rows={usage.vendors}
        keyOf={(row) => `${row.part} ${row.vendor} ${row.model}`}
      />
      {usage.agents.length > 1 && (
        <Table
          caption={t('Cost of vendors by assistant')}
          columns={agentColumns(currency)}
          rows={usage.agents}
          keyOf={({ agent_id }) => agent_id}
        />
      )}
    </Section>
  );
}
