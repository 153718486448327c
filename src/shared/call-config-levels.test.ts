import { describe, expect, it } from 'vitest';
import { levelConfig } from './call-config-levels.ts';

describe('the call_config of a campaign’s call', () => {
  it('is that of the only level with settings', () => {
    expect(levelConfig<Record<string, unknown>>(null, null)).toBeNull();
    const config = { callTime: { timezone: 'Etc/UTC' } };
    expect(levelConfig<Record<string, unknown>>(config, null)).toEqual(config);
    expect(levelConfig<Record<string, unknown>>(null, config)).toEqual(config);
  });
  it('merges key by key; the call overrides the campaign', () => {
    const campaign = {
      callTime: { callStartTime: '10:00', callEndTime: '12:00', timezone: 'Etc/UTC' },
      callRetryConfig: { retryCount: 3, retryBusy: 5 },
    };
    const own = { callTime: { callEndTime: '18:00' }, callRetryConfig: { retryBusy: 1 } };
    expect(levelConfig<Record<string, unknown>>(own, campaign)).toEqual({
      callTime: { callStartTime: '10:00', callEndTime: '18:00', timezone: 'Etc/UTC', slots: null },
      callRetryConfig: { retryCount: 3, retryBusy: 1 },
    });
    expect(
      levelConfig<Record<string, unknown>>({ callRetryConfig: { retryCount: 1 } }, campaign)?.['callTime'],
    ).toEqual(campaign.callTime);
  });
  it('clears the campaign’s slots if the call sets hours', () => {
    const campaign = { callTime: { slots: [{ start: '09:00', end: '10:00' }], days: ['mon'] } };
    expect(levelConfig<Record<string, unknown>>({ callTime: { callStartTime: '11:00' } }, campaign)).toEqual({
      callTime: { callStartTime: '11:00', slots: null, days: ['mon'] },
    });
  });
});
