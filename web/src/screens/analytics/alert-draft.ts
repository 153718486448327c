import type { Answer, Input } from '../../api/client.ts';

export type Alert = Answer<'getQualityAlerts'>['alerts'][number];
export type AlertRule = Input<'setQualityAlerts'>['alerts'][number];

/** A rule while it is typed: figures are texts, '' stands for every agent and any detector. */
export interface AlertDraft {
  readonly name: string;
  readonly agentId: string;
  readonly measure: AlertRule['measure'];
  readonly detector: string;
  readonly threshold: string;
  readonly margin: string;
  readonly calls: string;
  readonly hours: string;
}

export const NEW_ALERT: AlertDraft = {
  name: '',
  agentId: '',
  measure: 'findings_above',
  detector: '',
  threshold: '10',
  margin: '5',
  calls: '20',
  hours: '24',
};

export const toAlertDraft = (alert: Alert): AlertDraft => ({
  name: alert.name,
  agentId: alert.agent_id ?? '',
  measure: alert.measure,
  detector: alert.detector ?? '',
  threshold: String(alert.threshold),
  margin: String(alert.margin),
  calls: String(alert.minimum_calls),
  hours: String(alert.window_hours),
});

export const toAlertRule = (draft: AlertDraft): AlertRule => ({
  name: draft.name.trim(),
  ...(draft.agentId === '' ? {} : { agent_id: draft.agentId }),
  measure: draft.measure,
  ...(draft.detector === '' || draft.measure === 'score_below'
    ? {}
    : { detector: draft.detector as NonNullable<AlertRule['detector']> }),
  threshold: Number(draft.threshold),
  margin: Number(draft.margin),
  minimum_calls: Number(draft.calls),
  window_hours: Number(draft.hours),
});
