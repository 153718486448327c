import { describe, expect, it } from 'vitest';
import { levelConfig } from './level-config.ts';

describe('the settings of a campaign’s call', () => {
  it('are those of the one level that says something', () => {
    expect(levelConfig(null, null)).toBeNull();
    const config = { call_time: { timezone: 'Etc/UTC' } };
    expect(levelConfig(config, null)).toEqual(config);
    expect(levelConfig(null, config)).toEqual(config);
  });
  it('are the call’s key by key, absent ones the campaign’s', () => {
    const campaign = {
      call_time: { call_start_time: '10:00', call_end_time: '12:00', timezone: 'Etc/UTC' },
      call_retry_config: { retry_count: 3, retry_busy: 5 },
    };
    const own = { call_time: { call_end_time: '18:00' }, call_retry_config: { retry_busy: 1 } };
    expect(levelConfig(own, campaign)).toEqual({
      call_time: { call_start_time: '10:00', call_end_time: '18:00', timezone: 'Etc/UTC', slots: null },
      call_retry_config: { retry_count: 3, retry_busy: 1 },
    });
    expect(levelConfig({ call_retry_config: { retry_count: 1 } }, campaign)?.['call_time']).toEqual(
      campaign.call_time,
    );
  });
  it('have the call’s hours instead of the campaign’s slots', () => {
    const campaign = { call_time: { slots: [{ start: '09:00', end: '10:00' }], days: ['mon'] } };
    expect(levelConfig({ call_time: { call_start_time: '11:00' } }, campaign)).toEqual({
      call_time: { call_start_time: '11:00', slots: null, days: ['mon'] },
    });
  });
});
