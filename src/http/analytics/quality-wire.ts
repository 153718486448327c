import type { AnalyticsFilter, QualityShare } from '../../domain/analytics/read-analytics.ts';
import { toPeriod } from './wire.ts';

/** The body of GET /analytics/quality-analytics. */
export function toQualityAnalytics(filter: AnalyticsFilter, shares: readonly QualityShare[]) {
  const trunks = new Map<string | null, QualityShare[]>();
  for (const share of shares.filter(({ isTotal }) => !isTotal))
    trunks.set(share.trunk, [...(trunks.get(share.trunk) ?? []), share]);
  return {
    ...toPeriod(filter),
    ...toDirections(shares.filter(({ isTotal }) => isTotal)),
    trunks: [...trunks].map(([trunk, own]) => ({ trunk, ...toDirections(own) })),
  };
}

const toDirections = (shares: readonly QualityShare[]) => ({
  received: toScores(shares.find(({ direction }) => direction === 'received')),
  sent: toScores(shares.find(({ direction }) => direction === 'sent')),
});

const toScores = (share: QualityShare | undefined) => ({
  calls: share?.calls ?? 0,
  p50_mos: share === undefined ? null : hundredths(share.p50),
  p5_mos: share === undefined ? null : hundredths(share.p5),
});

const hundredths = (value: number): number => Math.round(value * 100) / 100;
