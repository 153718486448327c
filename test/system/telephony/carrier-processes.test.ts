import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  FakeCarrierApi,
  fakeCarrierAccount,
  fakeTrunkSettings,
  type FakeCarrierCall,
} from '@callwright/stand-ins';
import { carrierAccounts } from '../../../src/app/carrier-accounts.ts';
import { streamBase } from '../../../src/app/carrier-entrance.ts';
import { CarrierReports } from '../../../src/app/carrier-reports.ts';
import { StreamTickets } from '../../../src/domain/trunks/stream-tickets.ts';
import { SchedulerWake } from '../../../src/scheduler/loop.ts';
import type { CarrierStatus } from '../../../src/shared/carrier-status.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createTestApi, type TestApi } from '../../helpers/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { TEST_SEAL } from '../../helpers/database/seal.ts';
import { createTrunk } from '../../helpers/database/workspace.ts';
import { LOOPBACK_OPEN } from '../../helpers/service/open-addresses.ts';
import { eventually } from '../../helpers/service/service.ts';
import {
  openStream,
  startStreamProcess,
  stopStreamProcess,
  STREAM_BASE,
  type StreamProcess,
} from '../../helpers/sip/stream-process.ts';

const ACCOUNTS = { twilio: fakeCarrierAccount('twilio'), telnyx: fakeCarrierAccount('telnyx') };
/** Where carriers reach the API of the process without calls. */
const PUBLIC_URL = 'http://callwright.test';

let database: TestDatabase;
/** The API of a process without calls. */
let api: TestApi;
let accounts: ReturnType<typeof carrierAccounts>;
let apiUrl = '';
let twilio: FakeCarrierApi;
let telnyx: FakeCarrierApi;
const trunkIds = { twilio: '', telnyx: '' };
const processes: StreamProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const streams = { db, seal: TEST_SEAL, clock: { now: () => api.clock.now() } };
  const allow = LOOPBACK_OPEN.split(',');
  accounts = carrierAccounts({ ...streams, log: silentLog, allow, now: () => Date.now() });
  const reports = new CarrierReports({ db, log: silentLog, status: null });
  api = await createTestApi(
    {
      announcedStreams: {
        tickets: new StreamTickets(streams),
        base: () =>
          streamBase({ ...streams, carriesCalls: false }, { mediaUrl: null, publicUrl: STREAM_BASE }),
        answer: (answer) => void accounts.answer(answer),
      },
      carrierStatus: (status) => reports.take(status),
    },
    database,
  );
  await api.server.listen({ port: 0, host: '127.0.0.1' });
  apiUrl = `http://127.0.0.1:${(api.server.server.address() as AddressInfo).port}`;
  const open = async (kind: 'twilio' | 'telnyx'): Promise<FakeCarrierApi> => {
    const carrier = new FakeCarrierApi(ACCOUNTS[kind], kind === 'twilio' ? apiUrl : null);
    const { password, signing_key: signingKey, ...rest } = fakeTrunkSettings(ACCOUNTS[kind]);
    trunkIds[kind] = await createTrunk(db, {
      kind,
      uri: await carrier.listen(),
      ...rest,
      password: TEST_SEAL.seal(password),
      ...(signingKey === undefined ? {} : { signing_key: TEST_SEAL.seal(signingKey) }),
    });
    return carrier;
  };
  [twilio, telnyx] = [await open('twilio'), await open('telnyx')];
});
beforeEach(async () => {
  for (const process of processes.splice(0)) stopStreamProcess(process);
  await database.db.deleteFrom('nodes').execute();
});
afterAll(async () => {
  for (const process of processes) stopStreamProcess(process);
  await accounts?.close();
  await Promise.all([twilio?.close(), telnyx?.close()]);
  await api?.close();
});

type Options = Parameters<typeof startStreamProcess>[3];
async function start(name: string, options?: Options): Promise<StreamProcess> {
  const process = await startStreamProcess(database, api.clock, name, options);
  processes.push(process);
  return process;
}

/** A call that Twilio announces to the process without calls, and the address of its stream. */
async function announce(): Promise<[FakeCarrierCall, string]> {
  const call = twilio.newCaller('+14155550188', '+14155550100');
  return [call, (await twilio.announce(call, `${PUBLIC_URL}/carriers/${trunkIds.twilio}/voice`)) ?? ''];
}

describe('a call that is announced to a process without calls', () => {
  it('opens its stream at the MEDIA_URL of the process with most free calls', async () => {
    await start('busy', { freeCalls: 3, hasMediaUrl: true });
    const free = await start('free', { freeCalls: 20, hasMediaUrl: true });
    const [call, url] = await announce();
    expect(url).toMatch(new RegExp(`^${free.url.replace('http', 'ws')}/carrier/\\w+$`));
    expect(await openStream(url, twilio.upgradeHeaders(url))).toBe(`${call.callId} heard hello`);
    expect(await openStream(url, twilio.upgradeHeaders(url))).toMatch(/^401/);
  });

  it('opens its stream here where no process has a MEDIA_URL, and the stream goes on to one that carries calls', async () => {
    const front = await start('front', { freeCalls: null });
    const back = await start('back', { freeCalls: 5 });
    const [call, url] = await announce();
    expect(url).toMatch(/^wss:\/\/calls\.example\.com\/carrier\/\w+$/);
    const here = url.replace('wss://calls.example.com', front.url);
    expect(await openStream(here, {})).toMatch(/^403/);
    expect(await openStream(here, twilio.upgradeHeaders(url))).toBe(`${call.callId} heard hello`);
    expect(back.connected).toEqual([call.callId]);
    expect(await openStream(here, twilio.upgradeHeaders(url))).toMatch(/^401/);
    const relayed = { ...twilio.upgradeHeaders(url), 'x-callwright-relayed': '1' };
    const [, other] = await announce();
    expect(await openStream(other.replace('wss://calls.example.com', front.url), relayed)).toMatch(
      /^503 .*no process carries calls/,
    );
  });

  it('is taken by a request of this process at a carrier that takes calls by requests', async () => {
    // Telnyx signs the time of its requests.
    api.clock.advance(Date.now() - api.clock.now());
    const back = await start('back', { hasMediaUrl: true });
    const webhook = `${apiUrl}/carriers/${trunkIds.telnyx}/voice`;
    const call = await telnyx.dialIn(webhook, '+14155550188', '+14155550101');
    const connected = await eventually('the stream at the process that carries calls', async () =>
      back.connected.length > 0 ? back.connected : null,
    );
    expect(connected).toEqual([call.callId]);
  });

  it('is refused with 503 while every process that carries calls drains, is fenced, or was not heard of for 15 s', async () => {
    const refused = /answered 503: .*one needs the roles api and media/;
    await expect(announce()).rejects.toThrow(refused);
    const { db } = database;
    const drains = await start('drains');
    await db.updateTable('nodes').set({ draining: true }).where('id', '=', drains.nodeId).execute();
    const fenced = await start('fenced');
    const now = new Date(api.clock.now());
    await db.updateTable('nodes').set({ fenced_at: now }).where('id', '=', fenced.nodeId).execute();
    const silent = await start('silent');
    const before = new Date(api.clock.now() - 15_001);
    await db.updateTable('nodes').set({ beat_at: before }).where('id', '=', silent.nodeId).execute();
    await expect(announce()).rejects.toThrow(refused);
    await db.updateTable('nodes').set({ beat_at: now }).where('id', '=', silent.nodeId).execute();
    await expect(announce()).resolves.toHaveLength(2);
  });
});

describe('a report on a call that another process places', () => {
  it('reaches that process, whichever process the carrier sends it to', async () => {
    const attemptId = `${newId()}-1`;
    const listening = ['places', 'carries others'].map((name) => {
      const taken: CarrierStatus[] = [];
      const status = (report: CarrierStatus): boolean => {
        if (name !== 'places' || report.attemptId !== attemptId) return false;
        taken.push(report);
        return true;
      };
      const reports = new CarrierReports({ db: database.db, log: silentLog, status });
      const wake = new SchedulerWake({ db: database.db, log: silentLog });
      wake.listen(database.url, (payload) => reports.receive(payload));
      return { taken, reports, wake };
    });
    const [places, carriesOthers] = listening;
    try {
      const call = twilio.newCaller('+14155550188', '+14155550100');
      const statusUrl = `${PUBLIC_URL}/carriers/${trunkIds.twilio}/status/${attemptId}`;
      const placed = { ...call, state: 'busy', order: { statusUrl } } as FakeCarrierCall;
      const report = { trunkId: trunkIds.twilio, attemptId, carrierCallId: call.callId, state: 'busy' };
      // The listeners connect meanwhile, and a carrier repeats a report.
      await eventually('the report at the process that places the call', async () => {
        expect(await twilio.report(placed, 'busy')).toBe(204);
        return places?.taken[0] ?? null;
      });
      expect(places?.taken[0]).toMatchObject(report);
      // A process that carries other calls passes it on as well.
      const before = places?.taken.length ?? 0;
      carriesOthers?.reports.take({ ...report, state: 'completed', sipCode: null });
      await eventually('the second report', async () =>
        places?.taken.slice(before).some(({ state }) => state === 'completed') === true ? true : null,
      );
      expect(carriesOthers?.taken).toEqual([]);
    } finally {
      await Promise.all(listening.map(({ wake }) => wake.close()));
    }
  });
});
