/** When the alert of a rule is raised and cleared. */
export interface AlertRule {
  readonly measure: AlertMeasure;
  /** Points of the mean score, or percent of calls with a finding: beyond it the alert is raised. */
  readonly threshold: number;
  /** How far the value must come back past the threshold before the alert is cleared. */
  readonly margin: number;
  /** Neither raised nor cleared over fewer calls. */
  readonly minimumCalls: number;
}
export type AlertMeasure = 'score_below' | 'findings_above';

/** The calls of a rule's window; `value` is in the unit of its threshold, null without calls. */
export interface Measured {
  readonly calls: number;
  readonly value: number | null;
}

export type AlertChange = 'raised' | 'cleared';

/**
 * Whether the alert changes. A raised one stays until the value has come back by the margin, at most to 100 points or 0 %, so that a
 * value about the threshold raises it once. Pure.
 */
export function alertChange(
  rule: AlertRule,
  isRaised: boolean,
  { calls, value }: Measured,
): AlertChange | null {
  if (value === null || calls < rule.minimumCalls) return null;
  const { threshold, margin } = rule;
  if (rule.measure === 'score_below') {
    if (!isRaised) return value < threshold ? 'raised' : null;
    return value >= Math.min(100, threshold + margin) ? 'cleared' : null;
  }
  if (!isRaised) return value > threshold ? 'raised' : null;
  return value <= Math.max(0, threshold - margin) ? 'cleared' : null;
}
