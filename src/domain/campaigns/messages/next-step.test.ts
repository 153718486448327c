import type { VersionConfig } from '../../../store/json/agent-version.ts';
import { describe, expect, it } from 'vitest';
import { afterRefusal } from './next-step.ts';

const NOON = Date.parse('2026-03-02T12:00:00Z');
const allDay = { callStartTime: '00:00', callEndTime: '00:00', timezone: 'Etc/UTC' };
const message = {
  toNumber: '+919876543210',
  tries: 1,
  retriesUsed: 0,
  campaignState: 'ongoing',
  campaignEndAt: null,
  callConfig: { callTime: allDay, callRetryConfig: { retryCount: 1, retryFailed: 10 } },
  agentConfig: {} as VersionConfig,
} as const;

describe('a message that WhatsApp refused', () => {
  it('is sent again after growing waits while the error is temporary', () => {
    const waits = [1, 2, 3, 4].map((tries) => afterRefusal({ ...message, tries }, 131016, NOON));
    expect(waits).toEqual(
      [1, 2, 4, 8].map((seconds) => ({ do: 'retry', at: NOON + seconds * 1_000, isBudget: false })),
    );
  });

  it('uses the retries of the campaign when the back-off is used up', () => {
    const last = { ...message, tries: 5 };
    expect(afterRefusal(last, 131016, NOON)).toEqual({ do: 'retry', at: NOON + 600_000, isBudget: true });
    expect(afterRefusal({ ...last, retriesUsed: 1 }, 131016, NOON)).toEqual({
      do: 'end',
      subStatus: 'RETRY_LIMIT_REACHED',
    });
  });

  it('is not retried after its campaign ends or was terminated', () => {
    const late = { ...message, campaignEndAt: new Date(NOON + 500) };
    expect(afterRefusal(late, 131016, NOON)).toEqual({ do: 'end', subStatus: 'CAMPAIGN_TIME_EXCEEDED' });
    const ended = { ...message, campaignState: 'terminated' } as const;
    expect(afterRefusal(ended, 131016, NOON)).toEqual({ do: 'end', subStatus: 'USER_TERMINATED' });
  });

  it('is retried when the window opens', () => {
    const morning = { ...allDay, callStartTime: '09:00', callEndTime: '12:00' };
    const callConfig = { ...message.callConfig, callTime: morning };
    expect(afterRefusal({ ...message, callConfig }, 131016, NOON)).toMatchObject({
      at: Date.parse('2026-03-03T09:00:00Z'),
    });
  });

  it('ends for a person who cannot be reached or who stopped marketing', () => {
    expect(afterRefusal(message, 131026, NOON)).toEqual({ do: 'end', subStatus: 'NOT_ABLE_TO_CALL' });
    expect(afterRefusal(message, 131050, NOON)).toEqual({ do: 'end', subStatus: 'OPTED_OUT' });
    expect(afterRefusal(message, 131049, NOON)).toEqual({ do: 'end', subStatus: 'FAILED' });
    expect(afterRefusal(message, 132012, NOON)).toEqual({ do: 'end', subStatus: 'FAILED' });
  });

  it('pauses the campaign for its template, and the number for its account', () => {
    expect(afterRefusal(message, 132015, NOON)).toEqual({ do: 'pause_campaign' });
    expect(afterRefusal(message, 190, NOON)).toEqual({ do: 'pause_number', pauseMs: 900_000 });
  });
});
