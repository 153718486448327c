import { describe, expect, it } from 'vitest';
import { waitsFor } from './call.ts';

describe('callwright call', () => {
  it('says until when a call waits, for whose window, and on the callee\u2019s clock', () => {
    const words = waitsFor({
      call_id: 'id',
      call_status: 'registered',
      call_sub_status: 'WINDOW_CLOSED',
      next_attempt_at: '2026-01-05T17:00:00.000Z',
      calling_window: { source: 'agent', callee_timezone: 'America/Los_Angeles' },
      warnings: [],
    });
    expect(words).toContain('waits for the calling window of the agent until');
    expect(words).toContain('(5 Jan 2026, 09:00 in America/Los_Angeles)');
  });
});
