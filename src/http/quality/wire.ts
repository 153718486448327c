import type { DetectorShares } from '../../domain/quality/detector-shares.ts';
import type { DetectorName } from '../../rehearsal/detect/alarm.ts';
import { iso } from '../common/values.ts';

interface Found {
  readonly detector: string;
  readonly atMs: number;
  readonly detail: string | null;
  readonly falseBy: string | null;
  readonly falseAt: Date | null;
}

export const toFinding = ({ detector, atMs, detail, falseBy, falseAt }: Found) => ({
  detector: detector as DetectorName,
  at_seconds: atMs / 1000,
  detail,
  false_alarm: falseBy === null || falseAt === null ? null : { by: falseBy, at: iso(falseAt) },
});

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

export const toDetectorShares = ({ checkedCalls, detectors }: DetectorShares) => ({
  checked_calls: checkedCalls,
  detectors: detectors.map(({ detector, calls, falseAlarms }) => ({
    detector: detector as DetectorName,
    calls,
    share: shareOf(calls - falseAlarms, checkedCalls),
    false_alarms: falseAlarms,
    false_share: shareOf(falseAlarms, calls),
  })),
});
