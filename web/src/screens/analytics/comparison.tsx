import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer, Input } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { CopyCurl, SelectField } from '../../ui/controls.tsx';
import { formatNumber, formatSeconds } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, Card } from '../../ui/page.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import {
  comparisonInput,
  describeDifference,
  shareName,
  type ComparedRow,
  type VersionPair,
} from './comparison-text.ts';
import { formatMs } from './reaction-times.tsx';
import { Section } from './section.tsx';
import { comparisonSheet } from './sheets.ts';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

type DrillDown = Answer<'getDrillDownAnalytics'>['data'];
type Comparison = Answer<'getComparisonAnalytics'>['data'];

/** Two versions of an assistant side by side, as an A/B test splits calls between them. */
export function Compare({
  agents,
  query,
  pair,
  onChoose,
}: {
  agents: DrillDown['agents'];
  query: Input<'getPlatformAnalytics'>;
  pair: VersionPair | null;
  onChoose: (version: string, other: string) => void;
}): ReactNode {
  if (pair === null) {
    return (
      <Card title={t('Versions compared')}>
        <p className="max-w-prose text-muted">
          {rich(
            'No assistant has ended calls of two versions in this period. An A/B test under Versions of an {link} splits its calls between versions.',
            {
              link: (
                <Link to="/agents" className="text-accent underline">
                  {t('assistant')}
                </Link>
              ),
            },
          )}
        </p>
      </Card>
    );
  }
  return <Pair agents={agents} query={query} pair={pair} onChoose={onChoose} />;
}

function Pair({
  agents,
  query,
  pair,
  onChoose,
}: {
  agents: DrillDown['agents'];
  query: Input<'getPlatformAnalytics'>;
  pair: VersionPair;
  onChoose: (version: string, other: string) => void;
}): ReactNode {
  const { agent, version, other } = pair;
  const input = comparisonInput(query, pair);
  const read = useRead('getComparisonAnalytics', input, { keep: true });
  const comparable = agents.filter(({ versions }) => versions.length > 1);
  const slugOf = (id: string, slug: string | null): string =>
    slug ?? t('Deleted version {value}', { value: id.slice(-4) });
  return (
    <Loaded read={read}>
      {({ data }) => (
        <Section
          title={t('Versions compared')}
          intro={t(
            'A difference beyond chance has a 95% interval without zero. Of twenty shares that do not differ, one is still expected there. Without an A/B test, other days or other contacts may be the cause.',
          )}
          sheet={comparisonSheet(data)}
          isCard
        >
          <div className="mb-4 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-4">
            <SelectField
              label={t('Compared assistant')}
              value={agent.agent_id}
              onChange={(event) => {
                const next = comparable.find(({ agent_id: id }) => id === event.target.value)?.versions;
                if (next !== undefined) onChoose(next[0]?.version_id ?? '', next[1]?.version_id ?? '');
              }}
            >
              {comparable.map(({ agent_id: id, agent_name: name }) => (
                <option key={id} value={id}>
                  {name ?? t('Deleted')}
                </option>
              ))}
            </SelectField>
            {(
              [
                ['Version A', version, (id: string) => onChoose(id, id === other ? version : other)],
                ['Version B', other, (id: string) => onChoose(id === version ? other : version, id)],
              ] as const
            ).map(([label, value, choose]) => (
              <SelectField
                key={label}
                label={label}
                value={value}
                onChange={(event) => choose(event.target.value)}
              >
                {agent.versions.map(({ version_id: id, version_slug: slug }) => (
                  <option key={id} value={id}>
                    {slugOf(id, slug)}
                  </option>
                ))}
              </SelectField>
            ))}
            <CopyCurl operation="getComparisonAnalytics" input={input} />
          </div>
          <Sides comparison={data} />
        </Section>
      )}
    </Loaded>
  );
}

const shareText = ({ count, total, share }: ComparedRow['a']): ReactNode =>
  share === null ? (
    <span className="text-muted">–</span>
  ) : (
    <>
      {formatShare(share)}{' '}
      <span className="text-muted">
        {t('{count} of {total}', { count: formatNumber(count), total: formatNumber(total) })}
      </span>
    </>
  );

interface Figure {
  readonly name: string;
  readonly a: string;
  readonly b: string;
}
const FIGURES: readonly Column<Figure>[] = [
  { title: 'Figure', cell: (row) => t(row.name) },
  { title: 'A', cell: (row) => row.a, isNumber: true },
  { title: 'B', cell: (row) => row.b, isNumber: true },
];

function Sides({ comparison: { a, b, shares } }: { comparison: Comparison }): ReactNode {
  const columns: readonly Column<ComparedRow>[] = [
    { title: 'Share', cell: (row) => <span className="wrap-anywhere">{shareName(row)}</span> },
    { title: 'A', cell: (row) => shareText(row.a), isNumber: true },
    { title: 'B', cell: (row) => shareText(row.b), isNumber: true },
    {
      title: 'Difference',
      cell: (row) => {
        const { verdict, interval } = describeDifference(row);
        const isBeyond = row.verdict === 'a_higher' || row.verdict === 'b_higher';
        return (
          <>
            <Badge tone={isBeyond ? 'accent' : 'neutral'}>{verdict}</Badge>
            {interval === null ? null : <span className="ml-2 text-muted">{interval}</span>}
          </>
        );
      },
    },
  ];
  const figure = (name: string, of: (side: Comparison['a']) => string): Figure => ({
    name,
    a: of(a),
    b: of(b),
  });
  return (
    <div className="flex flex-col gap-4">
      <Table
        caption={t('Shares of both versions')}
        columns={columns}
        rows={shares}
        keyOf={(row) => `${row.of} ${row.criterion}`}
      />
      <Table
        caption={t('Figures of both versions')}
        columns={FIGURES}
        rows={[
          figure('Ended calls', (side) => formatNumber(side.total_calls)),
          figure('Average talk', (side) => formatSeconds(side.average_duration)),
          figure('Turns', (side) => formatNumber(side.reaction.turns)),
          figure('Reply delay p50', (side) => formatMs(side.reaction.p50_ms)),
          figure('Reply delay p95', (side) => formatMs(side.reaction.p95_ms)),
          figure('Reply delay p99', (side) => formatMs(side.reaction.p99_ms)),
        ]}
        keyOf={({ name }) => name}
      />
      <p className="text-sm text-muted">
        {t(
          'Average talk and reply delay have no interval: the service keeps their sums and percentiles, not each call.',
        )}
      </p>
    </div>
  );
}
