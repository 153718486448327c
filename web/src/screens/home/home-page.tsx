import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { dayIn, zoneName } from '../../parts/workspace-days.ts';
import { useWorkspaceZone } from '../../session/workspace-zone.ts';
import { Results } from '../../parts/results-card.tsx';
import { useMay } from '../../session/session.ts';
import { buttonClass } from '../../ui/controls.tsx';
import { ErrorNote, Loading, Page } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { OfflineNote } from '../providers/offline-note.tsx';
import { Attention } from './attention.tsx';
import { CallsChart } from './calls-chart.tsx';
import { CampaignsCard } from './campaigns-card.tsx';
import { earliestDay, figuresOf, firstDay, type Range } from './figures.ts';
import { FiguresRow } from './figures-row.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Health } from './health.tsx';
import { LatestResults } from './latest-results.tsx';
import { LiveNow } from './live-now.tsx';
import { NeedsPerson } from './needs-person.tsx';
import { t } from '../../words/words.ts';

const RANGES = [
  ['today', 'Today'],
  ['week', '7 days'],
  ['month', '30 days'],
] as const;

/** What came of the calls, what happens now, and what needs somebody. */
export function HomePage(): ReactNode {
  const [range, setRange] = useState<Range>('today');
  const zone = useWorkspaceZone();
  // A page that stays open over midnight counts the new day.
  const today = dayIn(zone, Date.now());
  const mayCall = useMay('manager');
  const overview = useRead('getOverview', {});
  const totals = useRead('getPlatformAnalytics', { start_date: earliestDay(today) }, { keep: true });
  const labels = useRead(
    'getClassificationAnalytics',
    { start_date: firstDay(range, today) },
    { keep: true },
  );
  return (
    <Page
      title={t('Home')}
      intro={t('Days are those of {zone}.', { zone: zoneName(zone) })}
      actions={
        <>
          <Segmented
            label={t('Days ({zone})', { zone: zoneName(zone) })}
            value={range}
            options={RANGES.map(([each, name]) => [each, t(name)])}
            onChange={setRange}
          />
          {mayCall ? (
            <Link to="/campaigns/new" className={buttonClass('primary')}>
              {t('New campaign')}
            </Link>
          ) : null}
        </>
      }
    >
      {overview.isPending ? (
        <Loading shape="stats" />
      ) : overview.isError ? (
        <ErrorNote error={overview.error} retry={() => void overview.refetch()} />
      ) : (
        <>
          <Attention campaigns={overview.data.campaigns} webhooks={overview.data.webhooks} />
          <FirstSteps />
          <FiguresRow
            range={range}
            today={today}
            figures={totals.data === undefined ? undefined : figuresOf(totals.data.data.daily, range, today)}
          />
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <div className="flex flex-col gap-4">
              <CallsChart range={range} totals={totals} today={today} zone={zone} />
              <NeedsPerson today={today} />
              <LatestResults />
            </div>
            <div className="flex flex-col gap-4">
              <LiveNow live={overview.data.live_calls} queued={overview.data.queued} />
              <CampaignsCard campaigns={overview.data.campaigns} />
              <Results
                results={labels.data?.data.results ?? []}
                link={(result, words) => (
                  <Link
                    to="/calls"
                    search={{ result, from: firstDay(range, today) }}
                    className="text-ink hover:underline"
                  >
                    {words}
                  </Link>
                )}
              />
            </div>
          </div>
          <OfflineNote isLinked />
          <Health />
        </>
      )}
    </Page>
  );
}
