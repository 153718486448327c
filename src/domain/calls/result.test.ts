import { describe, expect, it } from 'vitest';
import { resultOfAnswers, resultOfEnding, type Answers, type CallEnding } from './result.ts';

const ending = (more: Partial<CallEnding>): string =>
  resultOfEnding({
    subStatus: 'BUSY',
    isOutbound: true,
    isDeclined: false,
    durationMs: null,
    answeredBy: null,
    ...more,
  }).text;
const answers = (more: Partial<Answers>) =>
  resultOfAnswers({
    subStatus: 'AGENT_ENDED',
    goalKey: 'confirmed',
    client: { confirmed: true },
    classification: 'interested',
    ...more,
  });

describe('the result of an ending', () => {
  it.each([
    [{ subStatus: 'VOICEMAIL_DETECTED', durationMs: 9_000 }, 'Voicemail'],
    [{ subStatus: 'BUSY' }, 'Busy'],
    [{ subStatus: 'BUSY', isDeclined: true }, 'Refused'],
    [{ subStatus: 'NO_ANSWER' }, 'No answer'],
    [{ subStatus: 'NOT_ABLE_TO_CALL' }, 'Wrong number'],
    [{ subStatus: 'NOT_ABLE_TO_CALL', durationMs: 800 }, 'Fax or announcement'],
    [{ subStatus: 'NOT_ABLE_TO_CALL', durationMs: 800, answeredBy: 'fax' }, 'A fax machine answered'],
    [{ subStatus: 'NOT_ABLE_TO_CALL', durationMs: 800, answeredBy: 'sit' }, 'Announcement'],
    [{ subStatus: 'USER_LEFT', durationMs: 5_000, answeredBy: 'fax' }, 'Hung up'],
    [{ subStatus: 'USER_LEFT', durationMs: 4_999 }, 'Hung up at once'],
    [{ subStatus: 'USER_LEFT', durationMs: 5_000 }, 'Hung up'],
    [{ subStatus: 'FAILED' }, 'Not connected'],
    [{ subStatus: 'FAILED', durationMs: 3_000 }, 'Stopped by the service'],
    [{ subStatus: 'UNKNOWN_AFTER_CRASH' }, 'Stopped by the service'],
    [{ subStatus: 'SERVICE_STOPPED', durationMs: 3_000 }, 'Stopped by the service'],
    [{ subStatus: 'DND_SKIPPED' }, 'Do not call'],
    [{ subStatus: 'USER_TERMINATED' }, 'Cancelled'],
    [{ subStatus: 'USER_TERMINATED', durationMs: 7_000 }, 'Ended by the workspace'],
    [{ subStatus: 'USER_TERMINATED', isOutbound: false }, 'Hung up before the answer'],
    [{ subStatus: 'A_NEW_REASON' }, 'A new reason'],
  ] satisfies [Partial<CallEnding>, string][])('%o is "%s"', (end, text) => {
    expect(ending(end)).toBe(text);
  });
});

describe('the result of a conversation', () => {
  it('is the answer to the goal, with the name of the goal for yes and no', () => {
    expect(answers({})).toEqual({ text: 'Confirmed: yes', source: 'goal' });
    expect(answers({ client: { confirmed: false } })?.text).toBe('Confirmed: no');
    expect(answers({ goalKey: 'visit_day', client: { visit_day: '2026-01-09' } })?.text).toBe('2026-01-09');
    expect(answers({ goalKey: 'guests', client: { guests: 0 } })?.text).toBe('0');
  });

  it('is the label without a goal, or without an answer to it', () => {
    const label = { text: 'Callback requested', source: 'label' };
    const classification = 'callback_requested';
    expect(answers({ goalKey: null, classification })).toEqual(label);
    expect(answers({ client: { confirmed: null }, classification })).toEqual(label);
    expect(answers({ client: { confirmed: '  ' }, classification })).toEqual(label);
    expect(answers({ client: null, classification: 'Hot LEAD_7' })?.text).toBe('Hot LEAD_7');
  });

  it('is nothing without an answer and a label, so that the ending stays', () => {
    expect(answers({ client: null, classification: null })).toBeNull();
  });

  it('is nothing when a machine answered, whatever default its goal has', () => {
    expect(answers({ subStatus: 'VOICEMAIL_DETECTED' })).toBeNull();
    expect(answers({ subStatus: 'CALL_SCREENED', goalKey: null })).toBeNull();
  });

  it('is one line of 100 characters at most', () => {
    const text = answers({ goalKey: 'why', client: { why: `a\n b ${'c'.repeat(200)}` } })?.text ?? '';
    expect(text).toHaveLength(100);
    expect(text.startsWith('a b cc')).toBe(true);
  });
});
