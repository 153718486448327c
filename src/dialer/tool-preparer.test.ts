import { describe, expect, it } from 'vitest';
import type { VersionConfig } from '../domain/agents/agent-version.ts';
import { DEFAULT_CALL_CONFIG, type CallTime } from '../domain/agents/call-config.ts';
import { silentLog } from '../shared/log.ts';
import { toolPreparer, type ToolCaller } from './tool-preparer.ts';

/** Monday 5 January 2026, 10:00 in San Francisco, 23:30 in Kolkata. */
const NOW = Date.UTC(2026, 0, 5, 18);
const prepare = toolPreparer({
  clock: { now: () => NOW, monotonic: () => 0 },
  log: silentLog,
} as unknown as Parameters<typeof toolPreparer>[0]);

async function asked(
  agentTime: Partial<CallTime>,
  more: Partial<ToolCaller> = {},
  when = 'tomorrow at 3 pm',
): Promise<unknown> {
  const call_time = { ...DEFAULT_CALL_CONFIG.call_time, timezone: 'Asia/Kolkata', ...agentTime };
  const config = { language: 'en-US', call_config: { ...DEFAULT_CALL_CONFIG, call_time } };
  const prepared = await prepare({
    workspaceId: 'w',
    callId: 'c',
    agentId: 'a',
    agentName: 'Maya',
    from: '+919812345678',
    to: '+14155550123',
    direction: 'outbound',
    variables: {},
    config: config as unknown as VersionConfig,
    callTime: null,
    budgetMs: 1000,
    ...more,
  });
  if (!prepared.ready) throw new Error('the tools are not ready');
  const { result } = await prepared.tools.run('schedule_callback', { when });
  return (result as { at?: string }).at;
}

describe('the zone in which a call back is asked for', () => {
  const own = { use_callee_timezone: true };
  const allDay = { call_start_time: '00:00', call_end_time: '00:00' };
  it.each([
    ['is the window’s', {}, {}, '2026-01-06T09:30:00.000Z'],
    ['is the callee’s', own, {}, '2026-01-06T23:00:00.000Z'],
    ['is the call’s own', own, { callTime: { use_callee_timezone: false } }, '2026-01-06T09:30:00.000Z'],
    ['is the callee’s by the call’s word', {}, { callTime: own }, '2026-01-06T23:00:00.000Z'],
    ['is the caller’s', own, { direction: 'inbound' }, '2026-01-06T09:30:00.000Z'],
    ['is that which opens last', { ...own, ...allDay }, { to: '+18005550199' }, '2026-01-07T01:00:00.000Z'],
  ] as const)('%s', async (_what, agentTime, more, expected) => {
    expect(await asked(agentTime, more)).toBe(expected);
  });
  it('is that of the opening which the call waits for, as the agent is told it', async () => {
    expect(await asked({}, {}, 'tomorrow at 11 pm')).toBe('2026-01-07T03:30:00.000Z');
  });
});
