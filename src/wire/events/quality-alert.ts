import type { JsonObject } from '../../store/schema.ts';

/** Sent when the alert of a rule over checked calls is raised, and when it is cleared. */
export const QUALITY_ALERT = 'quality_alert';

export interface AlertFacts {
  readonly workspaceId: string;
  readonly name: string;
  /** Null: the rule is about every agent. */
  readonly agentId: string | null;
  readonly agentName: string | null;
  readonly state: 'raised' | 'cleared';
  readonly measure: 'score_below' | 'findings_above';
  readonly detector: string | null;
  readonly threshold: number;
  readonly value: number;
  readonly calls: number;
  readonly windowHours: number;
}

/** The figures in a sentence. */
export function alertMessage(facts: AlertFacts): string {
  const over = `over ${facts.calls} calls in ${facts.windowHours} hours; the threshold is ${facts.threshold}`;
  const of = facts.agentName === null ? '' : ` of ${facts.agentName}`;
  const value = facts.value.toFixed(1);
  if (facts.measure === 'score_below') return `The mean score${of} is ${value} ${over}.`;
  const found = facts.detector === null ? 'a finding' : `a finding of ${facts.detector}`;
  return `${value} % of the calls${of} have ${found}, ${over} %.`;
}

/** What a chat such as Slack, and a mail, says. */
export const alertText = (facts: AlertFacts): string =>
  `The alert “${facts.name}” is ${facts.state}. ${alertMessage(facts)}`;

/** The payload. `text` is the message that a chat such as Slack shows. */
export const qualityAlertBody = (eventId: string, facts: AlertFacts, at: Date): JsonObject => ({
  event_type: QUALITY_ALERT,
  event_id: eventId,
  workspace_id: facts.workspaceId,
  agent_id: facts.agentId,
  alert_name: facts.name,
  state: facts.state,
  measure: facts.measure,
  detector: facts.detector,
  threshold: facts.threshold,
  value: facts.value,
  calls: facts.calls,
  window_hours: facts.windowHours,
  message: alertMessage(facts),
  text: alertText(facts),
  occurred_at: at.toISOString(),
});
