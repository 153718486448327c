import { QUARTER_MS } from '../../domain/campaigns/progress/answer-hours.ts';
import type { ContactPage } from '../../domain/campaigns/progress/list-contacts.ts';
import type { CampaignProgress } from '../../domain/campaigns/progress/read-progress.ts';
import type { CampaignStatistics } from '../../domain/campaigns/progress/read-statistics.ts';
import { toCredits } from '../../domain/credits/price.ts';
import { ratio } from '../analytics/wire.ts';
import { iso, isoOrNull, secondsOrNull } from '../common/values.ts';

const isoOfMs = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
/** Rates and estimates to a tenth: the digits after it are noise. */
const tenths = (value: number): number => Math.round(value * 10) / 10;

/** The body of GET /campaign/{campaign_id}/progress. */
export function toProgress({ window, breaker, ...progress }: CampaignProgress) {
  const { callTime } = window;
  return {
    campaign_id: progress.campaignId,
    calling_window: {
      timezone: callTime.timezone,
      slots: callTime.slots ?? [{ start: callTime.callStartTime, end: callTime.callEndTime }],
      days: callTime.days,
      use_callee_timezone: callTime.useCalleeTimezone,
      is_open: window.isOpen,
      opens_at: isoOfMs(window.opensAt),
      closes_at: isoOfMs(window.closesAt),
    },
    pace: {
      calls_per_minute: tenths(progress.pace),
      live_calls: progress.live,
      max_live_calls: progress.limit,
    },
    estimate: {
      calls_left: tenths(progress.callsLeft),
      minutes_left: progress.minutesLeft === null ? null : tenths(progress.minutesLeft),
      ends_at: isoOfMs(progress.doneAt),
      is_cut_off: progress.isCutOff,
    },
    waiting:
      progress.next === null
        ? null
        : { reason: progress.next.reason, next_attempt_at: isoOrNull(progress.next.at) },
    circuit_breaker: {
      last_calls: breaker.attempts,
      failed_calls: breaker.failures,
      window_calls: breaker.window,
      minimum_calls: breaker.minimum,
      failed_share: breaker.failedShare,
    },
  };
}

/** The body of GET /campaign/{campaign_id}/statistics. */
export const toStatistics = ({
  campaignId,
  timezone,
  hours,
  course,
  funnel,
  share,
  results,
}: CampaignStatistics) => ({
  campaign_id: campaignId,
  timezone,
  hours: hours.map((hour) => ({ ...hour })),
  course: course.map(({ quarter, calls, answered }) => ({
    at: iso(new Date(quarter * QUARTER_MS)),
    calls,
    answered,
  })),
  total_attempts: share.attempts,
  answered_attempts: share.answeredAttempts,
  answer_rate: ratio(share.answeredAttempts, share.attempts),
  results: results.map((each) => ({ ...each })),
  attempts: funnel.map(({ attempt, calls, answered, live, waiting, remaining }) => ({
    attempt,
    calls,
    answered,
    not_answered: calls - answered,
    live,
    waiting,
    remaining,
  })),
});

/** The body of GET /campaign/{campaign_id}/contacts. */
export const toContactPage = ({ contacts, timezone, nextCursor }: ContactPage) => ({
  contacts: contacts.map((contact) => ({
    call_id: contact.id,
    row: contact.row,
    mobile_number: contact.toNumber,
    callee_name: contact.calleeName,
    from_number: contact.fromNumber === '' ? null : contact.fromNumber,
    call_status: contact.status,
    call_sub_status: contact.subStatus,
    result: contact.result,
    result_source: contact.resultSource,
    attempts: contact.attempt,
    retry_count: contact.retriesUsed,
    last_outcome: contact.lastOutcome,
    next_attempt_at: isoOrNull(contact.nextAttemptAt),
    last_dialed_at: isoOrNull(contact.dialedAt),
    answered_at: isoOrNull(contact.answeredAt),
    ended_at: isoOrNull(contact.endedAt),
    call_duration: secondsOrNull(contact.durationMs),
    call_cost: toCredits(contact.cost),
  })),
  timezone,
  next_cursor: nextCursor,
});
