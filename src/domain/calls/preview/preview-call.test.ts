import type { VersionConfig } from '../../../store/json/agent-version.ts';
import { describe, expect, it } from 'vitest';
import { prompts } from '../../../app/adapters.ts';
import { previewOf, type PreviewContact } from './preview-call.ts';

const MORNING_IN_NEW_YORK = Date.UTC(2026, 5, 1, 14, 0);
const versionWith = (intro: string, more: object = {}): VersionConfig =>
  ({
    language: 'en-US',
    agentConfig: {
      agentPrompt: 'Ask whether {{day}} suits.',
      introMessage: intro,
      customVariables: ['old'],
    },
    callConfig: {
      callTime: {
        callStartTime: '09:00',
        callEndTime: '21:00',
        timezone: 'America/New_York',
        useCalleeTimezone: true,
      },
    },
    ...more,
  }) as unknown as VersionConfig;
const contact = (change: Partial<PreviewContact> = {}): PreviewContact => ({
  name: 'Priya',
  mobileNumber: '+1 212 555 0100',
  values: {},
  ...change,
});
const INTRO = 'Hello {{callee_name}}, it is about your visit on {{day}}. See you at {{place|our clinic}}.';
const preview = (one: PreviewContact, config = versionWith(INTRO)) => {
  const { variables, contacts } = previewOf(config, [one], MORNING_IN_NEW_YORK, prompts);
  return { variables, ...contacts[0]! };
};

describe('a preview of a call', () => {
  it('fills the first message with the values and the fallbacks', () => {
    const { says, missing } = preview(contact({ values: { day: 'Tuesday' } }));
    expect(says).toBe('Hello Priya, it is about your visit on Tuesday. See you at our clinic.');
    expect(missing).toEqual([]);
  });

  it('names a variable without a value and shows the words without it', () => {
    const { says, missing } = preview(contact());
    expect(missing).toEqual(['day']);
    expect(says).not.toMatch(/\{\{|on \./);
    expect(says).toContain('Hello Priya');
  });

  it('has the variables that the version uses, with the place that needs each', () => {
    expect(preview(contact()).variables).toEqual([
      { name: 'day', neededIn: 'prompt' },
      { name: 'place', neededIn: null },
    ]);
  });

  it('needs no value for what a tool looks up before the first word', () => {
    const tool = { resultVariables: { balance: 'amount' } };
    const config = versionWith('You owe {{balance}}.', { preCallTools: [tool] });
    const { says, missing, variables } = preview(contact({ values: { day: 'Monday' } }), config);
    expect(says).toBe('You owe ….');
    expect(missing).toEqual([]);
    expect(variables.map(({ name }) => name)).toEqual(['day']);
  });

  it("reads the window on the callee's clock", () => {
    expect(preview(contact()).window).toMatchObject({
      shownZone: 'America/New_York',
      isOpen: true,
      closesAt: '2026-06-01T21:00:00-04:00',
    });
    expect(preview(contact({ mobileNumber: '+14155550123' })).window).toMatchObject({
      shownZone: 'America/Los_Angeles',
      isOpen: false,
      opensAt: '2026-06-01T09:00:00-07:00',
    });
  });

  it('has no window for a number without its country code', () => {
    const { mobileNumber, window } = preview(contact({ mobileNumber: '(415) 555-0123' }));
    expect(mobileNumber).toBeNull();
    expect(window).toBeNull();
  });
});
