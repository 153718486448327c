import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatNumber } from '../../ui/format.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { dayName } from './days.ts';
import { ReactionChart } from './reaction-chart.tsx';
import { PERCENTILES, REACTION_PARTS } from './reaction-parts.ts';
import { Section } from './section.tsx';
import { reactionSheet, reactionVersionSheet } from './sheets.ts';
import { t } from '../../words/words.ts';

type Reaction = Answer<'getReactionAnalytics'>['data'];
type Percentiles = Reaction['reaction'];

export const formatMs = (ms: number | null): string => (ms === null ? '–' : `${formatNumber(ms)} ms`);

const percentiles = <Row,>(of: (row: Row) => Percentiles): readonly Column<Row>[] =>
  PERCENTILES.map(({ key, name }) => ({
    title: name,
    cell: (row) => formatMs(of(row)[key]),
    isNumber: true,
  }));
const turns = <Row,>(of: (row: Row) => Percentiles): Column<Row> => ({
  title: 'Turns',
  cell: (row) => formatNumber(of(row).turns),
  isNumber: true,
});

type Day = Reaction['daily'][number];
const dayColumns = (): readonly Column<Day>[] => [
  { title: 'Day', cell: (day) => dayName(day.date) },
  turns((day) => day.reaction),
  ...percentiles<Day>((day) => day.reaction),
  ...REACTION_PARTS.slice(1).map(({ key, name }): Column<Day> => ({
    title: `${t(name)} p50, p95, p99`,
    cell: (day) => PERCENTILES.map((each) => formatNumber(day[key][each.key] ?? 0)).join(', '),
    isNumber: true,
  })),
];

type Part = Percentiles & { readonly name: string };
const PART_COLUMNS: readonly Column<Part>[] = [
  { title: 'Part', cell: (part) => t(part.name) },
  turns((part) => part),
  ...percentiles<Part>((part) => part),
];

type VersionRow = Reaction['versions'][number];
const versionColumns = (): readonly Column<VersionRow>[] => [
  {
    title: 'Assistant',
    cell: (row) => (
      <>
        {row.agent_name ?? t('Deleted')} <span className="text-muted">{row.version_slug}</span>
      </>
    ),
  },
  turns((row) => row.reaction),
  ...percentiles<VersionRow>((row) => row.reaction),
  ...REACTION_PARTS.slice(1).map(({ key, name }): Column<VersionRow> => ({
    title: `${t(name)} p95`,
    cell: (row) => formatMs(row[key].p95_ms),
    isNumber: true,
  })),
];

/** How long assistants take to answer a turn, which part takes it, and of which version. */
export function ReactionTimes({ data }: { data: Reaction }): ReactNode {
  if (data.reaction.turns === 0) return null;
  return (
    <>
      <Section
        title={t('Reply delay')}
        intro={t(
          'From the end of the person’s speech to the start of the answer, to 2.5%, by the day of the dialing. p95: 95% of the answers began by then.',
        )}
        sheet={reactionSheet(data)}
        isCard
      >
        <ReactionChart days={data.daily} />
        <div className="mt-4">
          <Table
            caption={t('Reply delay and its parts')}
            columns={PART_COLUMNS}
            rows={REACTION_PARTS.map(({ key, name }) => ({ name, ...data[key] }))}
            keyOf={({ name }) => name}
          />
        </div>
        <details className="mt-4">
          <summary className="cursor-pointer text-sm font-medium">
            {t('Reply delay by day, in milliseconds')}
          </summary>
          <div className="mt-3">
            <Table
              caption={t('Reply delay by day')}
              columns={dayColumns()}
              rows={data.daily}
              keyOf={({ date }) => date}
            />
          </div>
        </details>
      </Section>
      <Section title={t('Reply delay by assistant and version')} sheet={reactionVersionSheet(data)}>
        <Table
          caption={t('Reply delay by version')}
          columns={versionColumns()}
          rows={data.versions}
          keyOf={(row) => row.version_id}
        />
      </Section>
    </>
  );
}
