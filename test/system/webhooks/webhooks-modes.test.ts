import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebhookDeliverer } from '../../../src/jobs/webhooks/deliverer.ts';
import { SafeFetcher } from '../../../src/net/safe-fetch.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createSeal } from '../../../src/shared/seal.ts';
import { insertEvents } from '../../../src/store/webhooks/events.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { holdLongWaits, type LongWaits } from '../../helpers/calls/held-timers.ts';
import { SELF_SIGNED } from '../../helpers/api/self-signed.ts';
import { eventually } from '../../helpers/service/service.ts';
import {
  MODES,
  startModeReceivers,
  type ModeReceivers,
  type ReceiverMode,
} from '../../helpers/webhooks/webhook-modes.ts';
import { mondayClock } from '../../helpers/database/workspace.ts';

const clock = mondayClock();
const BEGIN = clock.now();
const workspaceId = newId();
let database: TestDatabase;
let receivers: ModeReceivers;
let waits: LongWaits;
beforeAll(async () => {
  database = await createTestDatabase();
  receivers = await startModeReceivers(SELF_SIGNED);
  waits = holdLongWaits(clock);
});
afterAll(async () => {
  waits.release();
  await receivers.close();
  await database.close();
});

async function send(url: string): Promise<string> {
  const [callId, eventId, at] = [newId(), newId(), new Date(clock.now())];
  const body = { event_type: 'call_completed', event_id: eventId, call_id: callId };
  const event = { workspaceId, callId, eventId, eventType: 'call_completed', dedup: 'x', body, at };
  await database.db
    .transaction()
    .execute((tx) => insertEvents(tx, [{ event, targets: [{ url, method: 'POST', headers: {} }] }]));
  return eventId;
}

/** Start and end of an attempt, in ms after the event. */
interface Attempt {
  readonly begins: number;
  readonly ends: number;
}

/** At once, then 10 s, 60 s and 120 s after the end of the previous attempt; only 200 is success. */
function schedule({ status, takesMs }: ReceiverMode): Attempt[] {
  const attempts: Attempt[] = [];
  let begins = 0;
  for (const wait of status === 200 ? [0] : [10_000, 60_000, 120_000, 0]) {
    attempts.push({ begins, ends: begins + takesMs });
    begins += takesMs + wait;
  }
  return attempts;
}
/** Modes in which no request arrives: unknown name, closed port, failed handshake. */
const isReached = ({ error }: ReceiverMode): boolean =>
  error === null || error === 'timeout' || error === 'network';

const attemptsOf = async (eventId: string): Promise<Readonly<Record<string, unknown>>[]> => {
  const { attempts } = await database.db
    .selectFrom('deliveries')
    .select('attempts')
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow();
  return [...attempts];
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it('every kind of receiver gets its attempts at the scheduled millisecond and no more', async () => {
  const events = new Map<ReceiverMode, string>();
  for (const mode of MODES) events.set(mode, await send(receivers.urlOf(mode)));
  const fetcher = new SafeFetcher({ allow: ['webhooks=127.0.0.1'], purpose: 'webhooks' });
  const seal = createSeal('the seal of these tests');
  const deliverer = new WebhookDeliverer({
    db: database.db,
    clock,
    log: silentLog,
    seal,
    fetcher,
    pollMs: 10,
  });

  /** Waits until exactly the scheduled number of requests has started and ended; more is a failure. */
  const settled = async (): Promise<void> => {
    const now = clock.now() - BEGIN;
    for (const [mode, eventId] of events) {
      const begun = schedule(mode).filter(({ begins }) => begins <= now).length;
      const ended = schedule(mode).filter(({ ends }) => ends <= now).length;
      await eventually(`${mode.name} after ${now} ms: ${begun} attempts begun, ${ended} ended`, async () => {
        const requests = receivers.requests(mode);
        const written = (await attemptsOf(eventId)).length;
        if (requests > begun || written > ended) throw new Error(`${mode.name} after ${now} ms: too early`);
        return (requests === begun || !isReached(mode)) && written === ended ? true : null;
      });
    }
  };

  deliverer.start();
  await settled();
  const moments = MODES.flatMap((mode) => schedule(mode).flatMap(({ begins, ends }) => [begins, ends]));
  for (const moment of [...new Set(moments)].filter((at) => at > 0).toSorted((a, b) => a - b)) {
    waits.advance(BEGIN + moment - 1 - clock.now());
    // Give early requests time to arrive.
    await pause(40);
    await settled();
    waits.advance(1);
    await settled();
  }
  waits.advance(86_400_000);
  await pause(40);
  await settled();

  for (const [mode, eventId] of events) {
    const { name, status, error } = mode;
    const expected = schedule(mode).map(({ begins, ends }, nth) => ({
      attempt: nth + 1,
      at: new Date(BEGIN + begins).toISOString(),
      duration_ms: ends - begins,
      status,
      error,
    }));
    expect([name, await attemptsOf(eventId)]).toMatchObject([name, expected]);
  }
  const states = await database.db.selectFrom('deliveries').select(['event_id', 'state']).execute();
  for (const [{ name, status }, eventId] of events) {
    const state = states.find((row) => row.event_id === eventId)?.state;
    expect([name, state]).toEqual([name, status === 200 ? 'delivered' : 'dead']);
  }

  // Failed deliveries do not stop later ones.
  for (const mode of MODES.filter(({ takesMs }) => takesMs === 0)) {
    const next = await send(receivers.urlOf(mode));
    await eventually(`${mode.name}: the next event`, async () => (await attemptsOf(next))[0] ?? null);
  }
  await deliverer.stop();
  await fetcher.close();
});
