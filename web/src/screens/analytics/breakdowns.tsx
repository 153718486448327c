import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatNumber, formatSeconds } from '../../ui/format.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Section } from './section.tsx';
import { agentSheet, numberSheet, outcomeSheet } from './sheets.ts';
import { statusName } from '../../parts/call-status.tsx';
import { outcomeName } from '../../parts/outcomes.ts';
import { t } from '../../words/words.ts';

interface Measures {
  readonly total_calls: number;
  readonly answered_calls: number;
  readonly answer_rate: number;
  readonly average_duration: number;
  readonly total_cost: number;
}

/** The columns that every breakdown has. */
const measures = <Row extends Measures>(): readonly Column<Row>[] => [
  { title: 'Ended calls', cell: (row) => formatNumber(row.total_calls), isNumber: true },
  {
    title: 'Answered',
    cell: (row) => <ShareBar share={row.answer_rate}>{formatShare(row.answer_rate)}</ShareBar>,
  },
  { title: 'Average talk', cell: (row) => formatSeconds(row.average_duration), isNumber: true },
  { title: 'Credits', cell: (row) => formatNumber(row.total_cost), isNumber: true },
];

type DrillDown = Answer<'getDrillDownAnalytics'>['data'];

export function Outcomes({ outcomes }: Pick<DrillDown, 'outcomes'>): ReactNode {
  const rows = outcomes.flatMap((outcome) =>
    outcome.sub_statuses.map((row) => ({ ...row, status: outcome.status })),
  );
  const all = Math.max(
    1,
    outcomes.reduce((sum, { total_calls: calls }) => sum + calls, 0),
  );
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { title: 'Outcome', cell: (row) => outcomeName(row.sub_status) },
    { title: 'Status', cell: (row) => statusName(row.status) },
    { title: 'Calls', cell: (row) => formatNumber(row.total_calls), isNumber: true },
    {
      title: 'Share',
      cell: ({ total_calls: calls }) => <ShareBar share={calls / all}>{formatShare(calls / all)}</ShareBar>,
    },
    { title: 'Average talk', cell: (row) => formatSeconds(row.average_duration), isNumber: true },
  ];
  return (
    <Section title={t('Outcomes')} sheet={outcomeSheet({ outcomes })}>
      <Table
        caption={t('Calls by outcome')}
        columns={columns}
        rows={rows}
        keyOf={(row) => `${row.status} ${row.sub_status}`}
      />
    </Section>
  );
}

/** Assistants; one with several versions has a row for each. */
export function ByAgent({ agents }: Pick<DrillDown, 'agents'>): ReactNode {
  const rows = agents.flatMap((agent) => [
    { ...agent, key: agent.agent_id, version: null as string | null },
    ...(agent.versions.length < 2
      ? []
      : agent.versions.map((version) => ({
          ...agent,
          ...version,
          key: version.version_id,
          version: version.version_slug ?? t('Deleted version'),
        }))),
  ]);
  const columns: readonly Column<(typeof rows)[number]>[] = [
    {
      title: 'Assistant',
      cell: (row) =>
        row.version === null ? (
          <Link to="/agents/$agentId" params={{ agentId: row.agent_id }} className="text-accent underline">
            {row.agent_name ?? t('Deleted')}
          </Link>
        ) : (
          <span className="pl-4 text-muted">{t('Version {version}', { version: row.version })}</span>
        ),
    },
    ...measures<(typeof rows)[number]>(),
  ];
  return (
    <Section title={t('Assistants and their versions')} sheet={agentSheet({ agents })}>
      <Table caption={t('Calls by assistant')} columns={columns} rows={rows} keyOf={(row) => row.key} />
    </Section>
  );
}

type NumberRow = Answer<'getNumberAnalytics'>['data']['numbers'][number];
const NUMBER_COLUMNS: readonly Column<NumberRow>[] = [
  {
    title: 'Number',
    cell: (row) =>
      row.number === null ? (
        <span className="text-muted">{t('Without a number')}</span>
      ) : (
        <>
          <span className="tabular-nums">{row.number}</span>{' '}
          <span className="text-muted">{row.display_name}</span>
        </>
      ),
  },
  ...measures<NumberRow>(),
];
export function ByNumber({ numbers }: { numbers: readonly NumberRow[] }): ReactNode {
  return (
    <Section title={t('Numbers')} sheet={numberSheet(numbers)}>
      <Table
        caption={t('Calls by number')}
        columns={NUMBER_COLUMNS}
        rows={numbers}
        keyOf={(row) => row.number_id ?? 'none'}
      />
    </Section>
  );
}
