import type { DetectorShares } from '../../domain/quality/detector-shares.ts';
import type { DetectorName } from '../../rehearsal/detect/alarm.ts';
import type { ScoreVerdict } from '../../store/json/scorecard.ts';
import { iso } from '../common/values.ts';

interface Found {
  readonly detector: string;
  readonly atMs: number;
  readonly detail: string | null;
  readonly falseBy: string | null;
  readonly falseAt: Date | null;
}

interface Scored {
  readonly scorecardVersion: number;
  readonly score: number | null;
  readonly verdicts: readonly ScoreVerdict[] | null;
}

export const toFinding = ({ detector, atMs, detail, falseBy, falseAt }: Found) => ({
  detector: detector as DetectorName,
  at_seconds: atMs / 1000,
  detail,
  false_alarm: falseBy === null || falseAt === null ? null : { by: falseBy, at: iso(falseAt) },
});

export const toScore = (of: Scored | null) =>
  of === null
    ? null
    : {
        score: of.score,
        scorecard_version: of.scorecardVersion,
        criteria: of.verdicts === null ? null : [...of.verdicts],
      };

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

export const toDetectorShares = ({ checkedCalls, detectors, days }: DetectorShares) => ({
  checked_calls: checkedCalls,
  detectors: detectors.map(({ detector, calls, falseAlarms }) => ({
    detector: detector as DetectorName,
    calls,
    share: shareOf(calls - falseAlarms, checkedCalls),
    false_alarms: falseAlarms,
    false_share: shareOf(falseAlarms, calls),
  })),
  days: days.map((day) => ({
    date: day.date,
    checked_calls: day.checkedCalls,
    calls_with_finding: day.callsWithFinding,
    finding_share: day.callsWithFinding / day.checkedCalls,
    scored_calls: day.scoredCalls,
    mean_score: day.meanScore,
    detectors: Object.entries(day.detectors).map(([detector, calls]) => ({
      detector: detector as DetectorName,
      calls,
      share: calls / day.checkedCalls,
    })),
  })),
});
