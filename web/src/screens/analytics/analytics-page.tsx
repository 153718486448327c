import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Button, buttonClass, CopyCurl } from '../../ui/controls.tsx';
import { formatNumber, formatSeconds } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { EmptyState, Loading, Page } from '../../ui/page.tsx';
import { Results } from '../../parts/results-card.tsx';
import { AnsweredStat } from '../../parts/answered-stat.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { dayIn, zoneName } from '../../parts/workspace-days.ts';
import { useWorkspaceZone } from '../../session/workspace-zone.ts';
import { QualityAlerts } from './alerts.tsx';
import { ByAgent, ByNumber, Outcomes } from './breakdowns.tsx';
import { ChatsCard } from './chats-card.tsx';
import { comparedVersions, comparisonInput } from './comparison-text.ts';
import { Compare } from './comparison.tsx';
import { Criteria } from './criteria.tsx';
import { Detectors } from './detectors.tsx';
import { QualityTrend } from './quality-trend.tsx';
import { DaysChart } from './days-chart.tsx';
import { FilterBar } from './filter-bar.tsx';
import { callsOfResult, toQuery } from './filters.ts';
import { HoursChart } from './hours-chart.tsx';
import { ReactionTimes } from './reaction-times.tsx';
import { Labels, Lengths } from './shares.tsx';
import { WholeView } from './whole-view.tsx';
import { Vendors } from './vendors.tsx';
import { t } from '../../words/words.ts';

const NO_PAIR = { agent_id: '', version_id: '', other_version_id: '' };

/** Figures over the ended calls of the workspace. */
export function AnalyticsPage(): ReactNode {
  const filters = useSearch({ from: '/app/analytics' });
  const navigate = useNavigate({ from: '/analytics' });
  // The moment of opening: the query must not change while the page is open.
  const [openedAt] = useState(() => Date.now());
  const zone = useWorkspaceZone();
  const query = toQuery(filters, dayIn(zone, openedAt));
  const keep = { keep: true };
  const totals = useRead('getPlatformAnalytics', query, keep);
  const drill = useRead('getDrillDownAnalytics', query, keep);
  const numbers = useRead('getNumberAnalytics', query, keep);
  const lengths = useRead('getDurationDistribution', query, keep);
  const labels = useRead('getClassificationAnalytics', query, keep);
  const usage = useRead('getVendorAnalytics', query, keep);
  const criteria = useRead('getEvaluationAnalytics', query, keep);
  const reaction = useRead('getReactionAnalytics', query, keep);
  const hours = useRead('getHourAnalytics', { ...query, timezone: zone }, keep);
  const { bulk_list_id: campaign, ...ofChats } = query;
  const findings = useRead('getFindings', ofChats, { keep: true, enabled: campaign === undefined });
  const chats = useRead('getChatAnalytics', ofChats, { keep: true, enabled: campaign === undefined });
  const pair = comparedVersions(drill.data?.data.agents ?? [], filters);
  const comparison = useRead(
    'getComparisonAnalytics',
    pair === null ? NO_PAIR : comparisonInput(query, pair),
    { keep: true, enabled: pair !== null },
  );
  const hasCalls = totals.data !== undefined && totals.data.data.total_calls > 0;
  const clear = (): void => void navigate({ search: {} });
  // With its key the form of the alerts stays open, with what is typed, when the totals arrive.
  const alerts = <QualityAlerts key="alerts" />;
  const ofWritten =
    campaign === undefined ? <Loaded read={chats}>{({ data }) => <ChatsCard chats={data} />}</Loaded> : null;
  /** The totals say whether the workspace has figures at all. */
  const afterTotals = (content: ReactNode): ReactNode => (totals.isPending ? <Loading /> : content);
  const results = (
    <Loaded read={labels}>
      {({ data }) => (
        <Results
          results={data.results}
          link={(result, name) => (
            <Link to="/calls" search={callsOfResult(result, query)} className="text-accent underline">
              {name}
            </Link>
          )}
        />
      )}
    </Loaded>
  );
  const parts: (readonly [name: string, content: ReactNode])[] =
    hasCalls || totals.isPending
      ? [
          [
            'Overview',
            afterTotals(
              <>
                <Loaded read={totals}>{({ data }) => <DaysChart totals={data} query={query} />}</Loaded>
                {results}
                <Loaded read={hours}>{({ data }) => <HoursChart data={data} />}</Loaded>
              </>,
            ),
          ],
          [
            'Reply delay',
            afterTotals(<Loaded read={reaction}>{({ data }) => <ReactionTimes data={data} />}</Loaded>),
          ],
          [
            'Results',
            afterTotals(
              <>
                <Loaded read={drill}>{({ data }) => <Outcomes outcomes={data.outcomes} />}</Loaded>
                <div className="grid items-start gap-4 lg:grid-cols-2">
                  <Loaded read={lengths}>{({ data }) => <Lengths lengths={data} />}</Loaded>
                  <Loaded read={labels}>{({ data }) => <Labels labels={data} />}</Loaded>
                  <Loaded read={labels}>
                    {({ data }) => (
                      <Results
                        results={data.results}
                        link={(result, words) => (
                          <Link
                            to="/calls"
                            search={callsOfResult(result, query)}
                            className="text-accent underline"
                          >
                            {words}
                          </Link>
                        )}
                      />
                    )}
                  </Loaded>
                </div>
              </>,
            ),
          ],
          [
            'Assistants',
            afterTotals(
              <>
                <Loaded read={drill}>
                  {({ data }) => (
                    <>
                      <ByAgent agents={data.agents} />
                      <Compare
                        agents={data.agents}
                        query={query}
                        pair={pair}
                        onChoose={(version, other) =>
                          void navigate({ search: { ...filters, version, other }, replace: true })
                        }
                      />
                    </>
                  )}
                </Loaded>
                <Loaded read={numbers}>{({ data }) => <ByNumber numbers={data.numbers} />}</Loaded>
              </>,
            ),
          ],
          [
            'Quality',
            <>
              {afterTotals(
                <>
                  <Loaded read={criteria}>{({ data }) => <Criteria rows={data.evaluations} />}</Loaded>
                  {campaign === undefined && findings.data !== undefined ? (
                    <>
                      <QualityTrend days={findings.data.days} agentId={filters.agent} />
                      <Detectors found={findings.data} agentId={filters.agent} />
                    </>
                  ) : null}
                </>,
              )}
              {alerts}
            </>,
          ],
          ['Credits', afterTotals(<Loaded read={usage}>{({ data }) => <Vendors usage={data} />}</Loaded>)],
          ...(ofWritten === null ? [] : [['Chats', afterTotals(ofWritten)] as const]),
        ]
      : [
          [
            'Quality',
            <>
              {alerts}
              {ofWritten}
            </>,
          ],
        ];
  return (
    <Page
      title={t('Analytics')}
      intro={t(
        'Sums over ended calls, by day in {zone}. The filters are in the address, so a link shares them.',
        { zone: zoneName(zone) },
      )}
      actions={
        <>
          {hasCalls ? (
            <WholeView
              reads={{
                totals,
                drill,
                numbers,
                lengths,
                labels,
                criteria,
                reaction,
                hours,
                usage,
                comparison: pair === null ? null : comparison,
                chats: campaign === undefined ? chats : null,
              }}
            />
          ) : null}
          <CopyCurl operation="getPlatformAnalytics" input={query} />
        </>
      }
    >
      <FilterBar filters={filters} onChange={(search) => void navigate({ search, replace: true })} />
      <Loaded read={totals}>
        {({ data }) =>
          data.total_calls === 0 ? (
            <Nothing hasFilters={Object.keys(filters).length > 0} onClear={clear} />
          ) : (
            <Totals totals={data} />
          )
        }
      </Loaded>
      <Tabs label={t('Parts of the page')} tabs={parts} />
    </Page>
  );
}

function Totals({ totals }: { totals: Answer<'getPlatformAnalytics'>['data'] }): ReactNode {
  return (
    <Stats>
      <Stat name={t('Ended calls')} value={formatNumber(totals.total_calls)}>
        {t('{outboundCalls} outbound, {inboundCalls} inbound', {
          outboundCalls: formatNumber(totals.outbound_calls),
          inboundCalls: formatNumber(totals.inbound_calls),
        })}
      </Stat>
      <AnsweredStat name={t('Answered')} share={totals} />
      <Stat name={t('Average talk')} value={formatSeconds(totals.average_duration)}>
        {t('{totalDuration} in all', { totalDuration: formatSeconds(totals.total_duration) })}
      </Stat>
      <Stat name={t('Credits')} value={formatNumber(totals.total_cost)}>
        {t('Of all attempts')}
      </Stat>
    </Stats>
  );
}

function Nothing({ hasFilters, onClear }: { hasFilters: boolean; onClear: () => void }): ReactNode {
  return hasFilters ? (
    <EmptyState
      title={t('No ended call matches')}
      icon="chart-line"
      action={<Button onClick={onClear}>{t('Clear the filters')}</Button>}
    >
      {t('Calls of other days, assistants or campaigns may exist.')}
    </EmptyState>
  ) : (
    <EmptyState
      title={t('No call ended in the last 30 days')}
      icon="chart-line"
      action={
        <Link to="/campaigns/new" className={buttonClass('primary')}>
          {t('New campaign')}
        </Link>
      }
    >
      {t('Figures appear a moment after a call has ended.')}
    </EmptyState>
  );
}
