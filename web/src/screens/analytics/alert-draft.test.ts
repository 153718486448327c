import { describe, expect, it } from 'vitest';
import { toAlertDraft, toAlertRule, type Alert } from './alert-draft.ts';

const ALERT: Alert = {
  name: 'Dead air',
  agent_id: null,
  measure: 'findings_above',
  detector: 'dead_air',
  threshold: 10,
  margin: 5,
  minimum_calls: 20,
  window_hours: 24,
  raised_at: '2026-03-02T10:00:00.000Z',
  measured: null,
};

describe('the draft of an alert', () => {
  it('saves the rule that it was made of', () => {
    const { raised_at: _, measured: __, agent_id: ___, ...rule } = ALERT;
    expect(toAlertRule(toAlertDraft(ALERT))).toEqual(rule);
  });

  it('saves no detector for a score, and the agent that was chosen', () => {
    const draft = { ...toAlertDraft(ALERT), measure: 'score_below' as const, agentId: 'a' };
    expect(toAlertRule(draft)).not.toHaveProperty('detector');
    expect(toAlertRule(draft)).toMatchObject({ agent_id: 'a', measure: 'score_below' });
  });
});
