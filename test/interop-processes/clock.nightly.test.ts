import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { startFakedClock, type FakedClock } from '../helpers/service/faked-clock.ts';
import { startRefusingCarrier, type RefusingCarrier } from '../helpers/sip/refusing-carrier.ts';
import { createAgent, details, place, whenCall, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, TEST_KEY, type Service } from '../helpers/service/service.ts';

// The program with a faked wall clock in two nights of New York: on 8 March 2026 02:00 becomes 03:00 at
// 07:00 UTC, on 1 November 02:00 becomes 01:00 at 06:00 UTC.
const ZONE = 'America/New_York';
let clock: FakedClock;
let carrier: RefusingCarrier;
let database: TestDatabase;
let service: Service;
let agentId = '';

beforeAll(async () => {
  clock = await startFakedClock('2026-03-08T06:40:00Z');
  carrier = await startRefusingCarrier(() => clock.now());
  database = await createTestDatabase();
  service = await startService({
    env: { DATABASE_URL: database.url, ...clock.env },
    provision: {
      trunks: [{ name: 'carrier', uri: `sip:127.0.0.1:${carrier.port}`, transport: 'udp' }],
      workspaces: [
        {
          name: 'Test',
          api_key: TEST_KEY,
          credits: 1000,
          call_limit: 2,
          numbers: [{ number: '+14155550100', trunk: 'carrier' }],
        },
      ],
    },
  });
  agentId = await createAgent(service);
});
afterAll(async () => {
  await service.dispose();
  await carrier.close();
  await database.close();
  await clock.dispose();
});

/** Calling windows by number, to check the INVITEs that the carrier received. */
const windows = new Map<string, { start: string; end: string }>();
let numbers = 0;

/** Queues a call to a new number with a window from `start` to `end`, New York time. */
async function queue(
  start: string,
  end: string,
  retry: Record<string, number> = {},
): Promise<{ id: string; number: string }> {
  const number = `+1212555${String((numbers += 1)).padStart(4, '0')}`;
  windows.set(number, { start, end });
  const call_time = { call_start_time: start, call_end_time: end, timezone: ZONE };
  const id = await place(service, agentId, number, { call_config: { call_time, call_retry_config: retry } });
  return { id, number };
}

const rings = (number: string): number => carrier.heard.filter(({ to }) => to === number).length;
/** When the last call to a number stopped ringing. */
const ringEnd = (number: string): number | null =>
  carrier.heard.findLast(({ to }) => to === number)?.until ?? null;
const whenRung = (number: string, times = 1): Promise<true> =>
  eventually(`${number} to ring`, () => Promise.resolve(rings(number) >= times ? true : null));

/** The dialer polls every second with timers that ignore the faked clock: after three seconds it has polled. */
const dialerLooks = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 3000));

/** INVITEs outside their window, computed by another library, in the first round of the clock. */
function heardOutside(): string[] {
  return carrier.heard.flatMap(({ to, at }) => {
    const instant = Temporal.Instant.fromEpochMilliseconds(at);
    const zoned = instant.toZonedDateTimeISO(ZONE);
    const wall = zoned.toPlainDateTime();
    const isFirst = wall.toZonedDateTime(ZONE, { disambiguation: 'earlier' }).equals(zoned);
    const time = wall.toPlainTime().toString({ smallestUnit: 'minute' });
    const window = windows.get(to);
    const isOpen = window !== undefined && isFirst && time >= window.start && time < window.end;
    return isOpen ? [] : [`${to} at ${zoned.toString()}`];
  });
}

describe('the night in which the clock is set forward', () => {
  it('rings at the first minute after the gap if the window starts in the gap', async () => {
    const call = await queue('02:30', '03:30');
    expect(await details(service, call.id)).toMatchObject({
      call_sub_status: 'WINDOW_CLOSED',
      next_attempt_at: '2026-03-08T07:00:00.000Z',
    });
    await clock.set('2026-03-08T06:59:30Z');
    await dialerLooks();
    expect(carrier.heard).toEqual([]);
    await clock.set('2026-03-08T06:59:58Z');
    await whenRung(call.number);
    expect(await whenOver(service, call.id)).toMatchObject({ call_sub_status: 'BUSY' });
    expect(heardOutside()).toEqual([]);
  });
  it('rings the next night if the whole window lies in the gap', async () => {
    const call = await queue('02:10', '02:50');
    await clock.set('2026-03-08T07:30:00Z');
    await dialerLooks();
    expect(rings(call.number)).toBe(0);
    await clock.set('2026-03-09T06:09:58Z');
    await whenRung(call.number);
    expect(heardOutside()).toEqual([]);
  });
});

describe('the night in which the clock is set back', () => {
  it('rings in the first occurrence of the hour; neither calls nor retries in the second', async () => {
    await clock.set('2026-11-01T04:59:58Z');
    const retried = await queue('01:00', '01:30', { retry_count: 1, retry_busy: 60 });
    await whenRung(retried.number);
    const waiting = await whenCall(service, retried.id, 'retried', (call) => call.call_status === 'retry');
    // An hour later the clock shows 01:00 again.
    expect(waiting.next_attempt_at).toBe('2026-11-02T06:00:00.000Z');
    await clock.set('2026-11-01T05:40:00Z');
    const late = await queue('01:00', '01:30');
    await clock.set('2026-11-01T06:10:00Z');
    await dialerLooks();
    expect([rings(retried.number), rings(late.number)]).toEqual([1, 0]);
    await clock.set('2026-11-02T06:00:00Z');
    await whenRung(late.number);
    await whenRung(retried.number, 2);
    expect(await whenOver(service, retried.id)).toMatchObject({ call_sub_status: 'RETRY_LIMIT_REACHED' });
    expect(heardOutside()).toEqual([]);
  });
});

describe('a clock that jumps', () => {
  it('back: no callee rings again, and new calls are dialled', async () => {
    const before = carrier.heard.length;
    await clock.set('2026-11-02T05:30:00Z');
    await dialerLooks();
    expect(carrier.heard).toHaveLength(before);
    const call = await queue('00:00', '01:00');
    await whenRung(call.number);
    expect(heardOutside()).toEqual([]);
  });
  it('forward into the window: parallel calls stay within the limit', async () => {
    const calls = await Promise.all(Array.from({ length: 6 }, () => queue('03:00', '03:30')));
    carrier.hold(true);
    await clock.set('2026-11-02T08:10:00Z');
    await eventually('two calls to ring', () => Promise.resolve(carrier.ringing().now === 2 ? true : null));
    await dialerLooks();
    expect(carrier.ringing()).toEqual({ now: 2, most: 2 });
    carrier.hold(false);
    for (const { id } of calls) await whenOver(service, id);
    expect(calls.map(({ number }) => rings(number))).toEqual([1, 1, 1, 1, 1, 1]);
    expect(heardOutside()).toEqual([]);
  });
  it('forward past the window: waiting calls ring the next day', async () => {
    carrier.hold(true);
    const calls = await Promise.all(Array.from({ length: 4 }, () => queue('03:00', '03:30')));
    await eventually('two calls to ring', () => Promise.resolve(carrier.ringing().now === 2 ? true : null));
    const jump = '2026-11-02T09:00:00Z';
    await clock.set(jump);
    await eventually('nothing to ring', () => Promise.resolve(carrier.ringing().now === 0 ? true : null));
    carrier.hold(false);
    await dialerLooks();
    const rung = calls.filter(({ number }) => rings(number) === 1);
    expect(rung).toHaveLength(2);
    // No timer fires at a clock jump: these calls are released at the next poll.
    expect(rung.filter(({ number }) => (ringEnd(number) ?? Infinity) - Date.parse(jump) > 10_000)).toEqual(
      [],
    );
    for (const { id } of rung) {
      expect(await whenOver(service, id)).toMatchObject({
        call_status: 'failed',
        call_sub_status: 'NO_ANSWER',
      });
    }
    const waiting = calls.filter((call) => !rung.includes(call));
    for (const { id } of waiting) {
      const call = await whenCall(service, id, 'put off', (c) => c.call_sub_status === 'WINDOW_CLOSED');
      expect(call.next_attempt_at).toBe('2026-11-03T08:00:00.000Z');
    }
    await clock.set('2026-11-03T08:00:00Z');
    for (const { number } of waiting) await whenRung(number);
    expect(heardOutside()).toEqual([]);
    expect(carrier.ringing().most).toBe(2);
  });
});

describe('a window that closes during ringing', () => {
  it('ends the ringing', async () => {
    await clock.set('2026-11-04T08:29:50Z');
    carrier.hold(true);
    const call = await queue('03:00', '03:30');
    await whenRung(call.number);
    expect(await whenOver(service, call.id)).toMatchObject({ call_sub_status: 'NO_ANSWER' });
    carrier.hold(false);
    const late = (ringEnd(call.number) ?? Infinity) - Date.parse('2026-11-04T08:30:00Z');
    expect(late).toBeGreaterThan(-500);
    // The callee would ring for another 40 seconds.
    expect(late).toBeLessThan(10_000);
    expect(heardOutside()).toEqual([]);
  });
});

describe('a campaign in the night in which the clock is set forward', () => {
  /** Uploads and starts a campaign over `contacts` numbers; returns them. */
  async function runCampaign(contacts: number, start: string, end: string, endAt: string) {
    const called = Array.from({ length: contacts }, () => {
      const number = `+1212556${String((numbers += 1)).padStart(4, '0')}`;
      windows.set(number, { start, end });
      return number;
    });
    const form = new FormData();
    const rows = called.map((number) => `${number},Sam`).join('\n');
    form.set('agent_id', agentId);
    form.set('campaign_name', 'Night');
    form.set('variables_map', JSON.stringify({ mobile_number: 'Mobile Number', callee_name: 'Name' }));
    form.set('campaign_end_time', endAt);
    const call_time = { call_start_time: start, call_end_time: end, timezone: ZONE };
    const call_retry_config = { retry_count: 5, retry_busy: 20 };
    form.set('call_config', JSON.stringify({ call_time, call_retry_config }));
    form.set('file', new Blob([`Mobile Number,Name\n${rows}\n`], { type: 'text/csv' }), 'contacts.csv');
    const answer = await fetch(`${service.url}/api/v0/campaign/save`, {
      method: 'POST',
      headers: { 'x-api-key': service.key },
      body: form,
    });
    const saved = (await answer.json()) as { list_id: string; message: string };
    expect({ status: answer.status, message: saved.message }).toMatchObject({ status: 200 });
    const listed = await service.request('GET', '/api/v0/workspace/numbers');
    const { status } = await service.request('POST', '/api/v0/campaign/start', {
      agent_id: agentId,
      list_id: saved.list_id,
      from_numbers: [listed.body.workspace_numbers[0].id],
    });
    expect(status).toBe(200);
    return { listId: saved.list_id, called };
  }

  /** Waits until every call of the campaign has this status. */
  const whenAll = (listId: string, status: string, count: number): Promise<any[]> =>
    eventually(`${count} calls to be ${status}`, async () => {
      const { body } = await service.request('GET', `/api/v0/calling/history?bulk_list_id=${listId}`);
      const there = body.calls.filter((call: any) => call.call_status === status);
      return there.length === count ? there : null;
    });

  it('rings every contact inside the window only, with no retry after the campaign’s end', async () => {
    await clock.set('2027-03-14T06:40:00Z');
    const { listId, called } = await runCampaign(5, '02:30', '03:30', '14/03/2027, 05:00');
    await clock.set('2027-03-14T06:59:30Z');
    await dialerLooks();
    expect(called.map(rings)).toEqual([0, 0, 0, 0, 0]);
    await clock.set('2027-03-14T06:59:58Z');
    for (const number of called) await whenRung(number);
    // Retries count from the end of an attempt, so the clock is moved after it.
    await whenAll(listId, 'retry', called.length);
    // Busy at 03:00 and 03:20; 03:40 is outside the window, and the next opening is after the campaign's end.
    await clock.set('2027-03-14T07:21:00Z');
    for (const number of called) await whenRung(number, 2);
    const calls = await whenAll(listId, 'failed', called.length);
    expect(calls.map((call: any) => call.call_sub_status)).toEqual(
      called.map(() => 'CAMPAIGN_TIME_EXCEEDED'),
    );
    await clock.set('2027-03-15T06:31:00Z');
    await dialerLooks();
    expect(called.map(rings)).toEqual([2, 2, 2, 2, 2]);
    expect(heardOutside()).toEqual([]);
    expect(carrier.ringing().most).toBe(2);
  });
});
