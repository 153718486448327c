import { describe, expect, it } from 'vitest';
import { levelConfig } from './call-config-levels.ts';

describe('the call_config of a campaign’s call', () => {
  it('is that of the only level with settings', () => {
    expect(levelConfig<Record<string, unknown>>(null, null)).toBeNull();
    const config = { call_time: { timezone: 'Etc/UTC' } };
    expect(levelConfig<Record<string, unknown>>(config, null)).toEqual(config);
    expect(levelConfig<Record<string, unknown>>(null, config)).toEqual(config);
  });
  it('merges key by key; the call overrides the campaign', () => {
    const campaign = {
      call_time: { call_start_time: '10:00', call_end_time: '12:00', timezone: 'Etc/UTC' },
      call_retry_config: { retry_count: 3, retry_busy: 5 },
    };
    const own = { call_time: { call_end_time: '18:00' }, call_retry_config: { retry_busy: 1 } };
    expect(levelConfig<Record<string, unknown>>(own, campaign)).toEqual({
      call_time: { call_start_time: '10:00', call_end_time: '18:00', timezone: 'Etc/UTC', slots: null },
      call_retry_config: { retry_count: 3, retry_busy: 1 },
    });
    expect(
      levelConfig<Record<string, unknown>>({ call_retry_config: { retry_count: 1 } }, campaign)?.[
        'call_time'
      ],
    ).toEqual(campaign.call_time);
  });
  it('clears the campaign’s slots if the call sets hours', () => {
    const campaign = { call_time: { slots: [{ start: '09:00', end: '10:00' }], days: ['mon'] } };
    expect(
      levelConfig<Record<string, unknown>>({ call_time: { call_start_time: '11:00' } }, campaign),
    ).toEqual({
      call_time: { call_start_time: '11:00', slots: null, days: ['mon'] },
    });
  });
});
