import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { formatCount, formatNumber } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, Facts } from '../../ui/page.tsx';
import { formatShare, Stat, Stats } from '../../ui/stat.tsx';
import { waitingReason } from '../../parts/waiting.ts';
import { WindowBar } from '../../parts/window-bar.tsx';
import { minuteOf, readerAhead } from '../../parts/window-hours.ts';
import { ZonedTime } from '../../parts/zoned-time.tsx';
import type { Campaign } from './types.ts';
import { minutesLeft, timeLeft } from './pace.ts';
import { t } from '../../words/words.ts';

type Progress = Answer<'getCampaignProgress'>;
/** The window opens and closes without a change that the page would be told of. */
const REFRESH_MS = 30_000;

const DAYS: Readonly<Record<string, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** How fast a campaign calls, when it will be done, and what holds it. */
export function PaceSection({ campaign, isHeld }: { campaign: Campaign; isHeld: boolean }): ReactNode {
  const read = useRead('getCampaignProgress', { campaign_id: campaign.id }, { every: REFRESH_MS });
  return (
    <Loaded read={read}>
      {(progress) => (
        <>
          <Figures progress={progress} isHeld={isHeld} />
          <NextCalls progress={progress} startAt={campaign.campaign_start_time} isHeld={isHeld} />
        </>
      )}
    </Loaded>
  );
}

function Figures({ progress, isHeld }: { progress: Progress; isHeld: boolean }): ReactNode {
  const { pace, estimate, calling_window: window } = progress;
  const left = minutesLeft(estimate.ends_at, estimate.minutes_left, Date.now());
  return (
    <section aria-label={t('Pace')}>
      <Stats>
        <Stat name={t('Calls a minute')} value={formatNumber(pace.calls_per_minute)}>
          {t('In the last ten minutes.')}
        </Stat>
        <Stat
          name={t('Calls now')}
          value={t('{some} of {all}', {
            some: formatNumber(pace.live_calls),
            all: formatNumber(pace.max_live_calls),
          })}
        >
          {t('Up to this many calls at once.')}
        </Stat>
        <Stat
          name={estimate.ends_at === null ? t('Calling time left') : t('Time left')}
          value={left === null ? '–' : t('About {left}', { left: timeLeft(left) })}
        >
          {estimate.minutes_left === null
            ? t('Known after the first call.')
            : t('{minutesLeft} of calling, for {callsLeft} with retries{endsAt}.', {
                minutesLeft: timeLeft(estimate.minutes_left),
                callsLeft: formatCount(Math.ceil(estimate.calls_left), 'call'),
                endsAt: estimate.ends_at === null ? '' : t('; the rest is waiting'),
              })}
        </Stat>
        <Stat name={t('Expected end')} value={<EndTime progress={progress} />}>
          {estimate.is_cut_off
            ? t('The campaign’s end time comes earlier: not every contact will be called.')
            : endNote(estimate.ends_at, isHeld, window.use_callee_timezone)}
        </Stat>
      </Stats>
    </section>
  );
}

const EndTime = ({ progress }: { progress: Progress }): ReactNode =>
  progress.estimate.ends_at === null ? (
    '–'
  ) : (
    <span className="block text-base leading-snug tracking-normal">
      <ZonedTime iso={progress.estimate.ends_at} zone={progress.calling_window.timezone} />
    </span>
  );

function endNote(endsAt: string | null, isHeld: boolean, isByCallee: boolean): string {
  if (endsAt !== null) return t('Without the hours in which the window is closed.');
  if (isHeld) return t('Known once the campaign resumes.');
  return isByCallee ? t('Each contact has a window of its own.') : t('Known after the first call.');
}

/** The calling window, why the next contact waits, and the circuit breaker. */
function NextCalls({
  progress,
  startAt,
  isHeld,
}: {
  progress: Progress;
  startAt: string | null;
  isHeld: boolean;
}): ReactNode {
  const { calling_window: window, waiting, circuit_breaker: breaker } = progress;
  const slots = window.slots.map(({ start, end }) => ({
    start: minuteOf(start) ?? 0,
    end: minuteOf(end) ?? 0,
  }));
  return (
    <Card title={t('Next calls')}>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Facts
          rows={[
            ...(startAt === null || Date.parse(startAt) <= Date.now()
              ? []
              : ([['Begins', <ZonedTime key="begins" iso={startAt} zone={window.timezone} />]] as const)),
            ['Calling window', <WindowState key="window" window={window} />],
            [
              'Days',
              window.days === null
                ? t('Every day')
                : window.days.map((day) => t(DAYS[day] ?? day)).join(', '),
            ],
            [
              'Next contact',
              waiting === null ? (
                t('No contact is waiting.')
              ) : (
                <span key="next" role="status">
                  {isHeld ? t('Waiting until the campaign resumes') : waitingReason(waiting.reason)}
                  {waiting.next_attempt_at !== null && Date.parse(waiting.next_attempt_at) > Date.now() ? (
                    <>
                      {t('; not before')} <ZonedTime iso={waiting.next_attempt_at} zone={window.timezone} />
                    </>
                  ) : (
                    '.'
                  )}
                </span>
              ),
            ],
            [
              'Circuit breaker',
              t(
                '{failedCalls} of the last {lastCalls} failed, retries counted; it pauses the campaign at {failedShare}.',
                {
                  failedCalls: formatNumber(breaker.failed_calls),
                  lastCalls: formatCount(breaker.last_calls, 'attempt'),
                  failedShare: formatShare(breaker.failed_share),
                },
              ),
            ],
          ]}
        />
        <div>
          <WindowBar
            windows={slots}
            zone={window.use_callee_timezone ? t('The clock of each called number') : window.timezone}
            ahead={window.use_callee_timezone ? null : readerAhead(slots, window.timezone, Date.now())}
          />
        </div>
      </div>
    </Card>
  );
}

function WindowState({ window }: { window: Progress['calling_window'] }): ReactNode {
  const times = window.slots
    .map(({ start, end }) => (start === end ? t('All day') : t('{start} to {end}', { start, end })))
    .join(', ');
  if (window.use_callee_timezone) return t('{times} on the clock of each called number', { times });
  return (
    <>
      {times}, {window.timezone}.{' '}
      {window.is_open ? (
        window.closes_at === null ? (
          t('Open now.')
        ) : (
          <>
            {t('Open until')} <ZonedTime iso={window.closes_at} zone={window.timezone} />
          </>
        )
      ) : (
        <>
          {t('Closed; opens')} <ZonedTime iso={window.opens_at} zone={window.timezone} />
        </>
      )}
    </>
  );
}
