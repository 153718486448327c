import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatNumber } from '../../ui/format.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Section } from './section.tsx';
import { criteriaSheet } from './sheets.ts';
import { t } from '../../words/words.ts';

type Row = Answer<'getEvaluationAnalytics'>['data']['evaluations'][number];

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Criterion', cell: (row) => <span className="wrap-anywhere">{row.name}</span> },
  {
    title: 'Assistant',
    cell: (row) => (
      <>
        {row.agent_name ?? t('Deleted')} <span className="text-muted">{row.version_slug}</span>
      </>
    ),
  },
  {
    title: 'Met',
    cell: ({ passed_share: share }) =>
      share === null ? (
        <span className="text-muted">–</span>
      ) : (
        <ShareBar share={share}>{formatShare(share)}</ShareBar>
      ),
  },
  { title: 'Calls that met it', cell: (row) => formatNumber(row.passed), isNumber: true },
  { title: 'Not met', cell: (row) => formatNumber(row.failed), isNumber: true },
  { title: 'Not judged', cell: (row) => formatNumber(row.not_judged), isNumber: true },
];

/** The share of conversations that met each criterion, by version. */
export function Criteria({ rows }: { rows: readonly Row[] }): ReactNode {
  if (rows.length === 0) return null;
  return (
    <Section title={t('Criteria')} sheet={criteriaSheet(rows)}>
      <Table
        caption={t('Conversations by criterion')}
        columns={COLUMNS}
        rows={rows}
        keyOf={(row) => `${row.version_id} ${row.name}`}
      />
    </Section>
  );
}
