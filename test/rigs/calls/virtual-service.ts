import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { specDeps } from '../../../src/app/adapters.ts';
import { providerReader } from '../../../src/app/provider-reader.ts';
import { NO_OPERATOR_PROVIDERS } from '../../../src/vendors/accounts.ts';
import { toolPreparer } from '../../../src/dialer/prepare-call.ts';
import { LiveCalls } from '../../../src/dialer/live-calls.ts';
import { placeOutbound, type OutboundDeps } from '../../../src/dialer/outbound.ts';
import { TalkJournal } from '../../../src/dialer/talk-journal.ts';
import { TrunkPauses } from '../../../src/dialer/trunk.ts';
import { transferJournal } from '../../../src/dialer/transfer.ts';
import { whyNoCallback } from '../../../src/domain/calls/schedule-callback.ts';
import { callKnowledge } from '../../../src/domain/knowledge/call-knowledge.ts';
import { lookUpKnowledge } from '../../../src/domain/knowledge/look-up.ts';
import { SafeFetcher } from '../../../src/net/safe-fetch.ts';
import { openMcp } from '../../../src/providers/mcp.ts';
import { createProviders, type Providers } from '../../../src/providers/choose/installation.ts';
import { createOfflineStt } from '../../../src/offline/recogniser/stt.ts';
import { createOfflineTts } from '../../../src/offline/speech/tts.ts';
import { createVadProvider } from '../../../src/providers/vad/provider.ts';
import { Disk } from '../../../src/recordings/disk.ts';
import { Recordings } from '../../../src/recordings/recordings.ts';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { createLog } from '../../../src/shared/log.ts';
import { openDatabase, type Database } from '../../../src/store/database.ts';
import { acceptAnswer, answerOffer, createOffer } from '@callwright/sip';
import { Recogniser } from '../../../src/offline/callee/recogniser.ts';
import type { LlmProvider } from '../../../src/providers/ports/model.ts';
import type { SttProvider } from '../../../src/providers/ports/recogniser.ts';
import { createTenant, createTestApi, TEST_SEAL, type TestApi, type Tenant } from '../../helpers/api/api.ts';
import { createNode } from '../../helpers/database/workspace.ts';
import { VirtualCarrier } from './virtual-carrier.ts';
import { virtualRecogniser, virtualStt, virtualTts } from './virtual-providers.ts';
import { VirtualTime } from './virtual-time.ts';
import { virtualWorkers } from './virtual-workers.ts';

/** The workspace's number, as scenarios expect it. */
export const OURS = '+14155550100';

export interface VirtualServiceOptions {
  /** Replaces the offline recogniser; must use virtual time. */
  readonly stt?: (time: VirtualTime) => SttProvider;
  readonly llm?: LlmProvider;
}

export interface LiveLine {
  readonly role: 'agent' | 'caller';
  readonly text: string;
}

/**
 * The whole service in virtual time, in the test's own process: the real API, database, scheduler, dialer, call workers
 * and sessions, without SIP and RTP. A call runs as fast as the machine computes it.
 */
export interface VirtualService {
  readonly api: TestApi;
  readonly tenant: Tenant;
  readonly time: VirtualTime;
  readonly carrier: VirtualCarrier;
  request(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>;
  /** Dials due calls and advances time until the call has ended, retries included; returns its details. */
  whenOver(callId: string): Promise<any>;
  /** Dials the calls that are due now. */
  dial(): Promise<void>;
  /** Advances time until a watcher of the call has received a matching event. */
  sees<T = any>(callId: string, what: string, holds: (event: any) => boolean): Promise<T>;
  /** Advances time until the agent has finished a matching line. */
  hasSaid(callId: string, words: RegExp): Promise<void>;
  /** Log lines so far. */
  output(): string;
  recordingOf(call: { recording_url: string }): Promise<Buffer>;
  readonly recordingsDir: string;
  close(): Promise<void>;
}

const RATE = { creditsPerMinute: 1, pulseSeconds: 60 };
const TERMINAL = ['completed', 'failed', 'error', 'cancelled'];
const RING_TIMEOUT_MS = 30_000;
const MAX_CLAIMS = 100;

/** A pool of its own for the dialer: virtual time stops while one of its connections is in use. */
function heldDatabase(url: string, time: VirtualTime): Database {
  const database = openDatabase(url);
  const { pool } = database;
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  Object.assign(pool, {
    connect: async (): Promise<PoolClient> => {
      const go = time.stop('the database');
      const client = await connect().catch((error: unknown) => {
        go();
        throw error;
      });
      const release = client.release.bind(client);
      client.release = (error) => {
        client.release = release;
        release(error);
        go();
      };
      return client;
    },
  });
  return database;
}

export async function startVirtualService(options: VirtualServiceOptions = {}): Promise<VirtualService> {
  const recordingsDir = await mkdtemp(join(tmpdir(), 'virtual-recordings-'));
  const logged: string[] = [];
  const log = createLog({
    level: 'info',
    pretty: false,
    destination: { write: (line: string) => void logged.push(line) },
  });
  const live = new LiveCalls();
  const recordings = new Recordings(new Disk(recordingsDir), null);
  const api = await createTestApi({
    recordings,
    hangUp: ({ workspaceId, callId }) => Promise.resolve(live.hangup(workspaceId, callId)),
    control: ({ workspaceId, callId }, order) => Promise.resolve(live.control(workspaceId, callId, order)),
    watch: (...args) => Promise.resolve(live.watch(...args)),
    watchAll: (...args) => live.watchAll(...args),
  });
  const { db, clock } = api;
  const tenant = await createTenant(api, { credits: 10_000_000_000 });
  await db.updateTable('numbers').set({ number: OURS }).where('id', '=', tenant.numberId).execute();
  await db.updateTable('workspaces').set({ call_limit: 200 }).where('id', '=', tenant.workspaceId).execute();
  const nodeId = await createNode(db, 'virtual', clock.now() + 30 * 86_400_000);

  const time = new VirtualTime(clock);
  const offlineTts = createOfflineTts();
  const tts = virtualTts(offlineTts, time);
  const offlineStt = options.stt === undefined ? createOfflineStt() : null;
  const recogniser = new Recogniser({ log });
  const vad = createVadProvider();
  const script = await createProviders({
    vad: 'light',
    stt: 'fake',
    tts: 'fake',
    llm: 'offline',
  });
  const providers: Providers = {
    vad,
    tts,
    stt: options.stt?.(time) ?? virtualStt(offlineStt as SttProvider, time),
    llm: options.llm ?? script.llm,
  };
  const { workers, legs } = virtualWorkers({ time, providers, recordingsDir, log });
  await workers.start();
  const engines = { clock, vad, tts, recogniser: virtualRecogniser(recogniser, time), voiceKey: 'flite:rms' };
  const carrier = new VirtualCarrier(time, engines, legs);
  const fetcher = new SafeFetcher({ allow: ['tools=127.0.0.1'], purpose: 'tools', connectionsPerOrigin: 32 });
  const placing = new Map<string, () => void>();
  const database = heldDatabase(api.url, time);
  const pauses = new TrunkPauses({ db, clock, log });
  const transfers = transferJournal({ db, clock, rate: RATE, log });
  const readProviders = providerReader(db, log, TEST_SEAL, NO_OPERATOR_PROVIDERS);
  const deps: OutboundDeps = {
    db: database.kysely,
    clock,
    rate: RATE,
    recordingUrl: () => 'http://callwright.test/recording',
    live,
    log,
    talk: new TalkJournal({ db: database.kysely, clock, log }),
    ringTimeoutMs: RING_TIMEOUT_MS,
    spec: specDeps,
    onSettled: () => undefined,
    signalling: {
      mediaAddress: () => '127.0.0.1',
      trace: () => [],
      mediaRules: () => ({ srtp: 'off', ranges: [], takes: () => true, owns: () => false }),
      call: (request, events) => {
        placing.get(request.attemptId)?.();
        return carrier.call(request, events);
      },
    },
    sdp: { createOffer, acceptAnswer, answerOffer },
    pauses: { note: (...at) => time.during('pause of a trunk', pauses.note(...at)) },
    permit: (...at) => time.during('permit of a transfer', transfers.permit(...at)),
    permitRefer: (...at) => time.during('permit of a transfer', transfers.permitRefer(...at)),
    permitRedirect: (...at) => time.during('permit of a redirect', transfers.permitRedirect(...at)),
    referFailed: (...at) => time.during('refusal of a transfer', transfers.referFailed(...at)),
    legAnswered: (...at) => time.during('answer of a transfer', transfers.legAnswered(...at)),
    legEnded: (...at) => time.during('end of a transfer', transfers.legEnded(...at)),
    allocate: (callId, events, kind) => workers.allocate(callId, events, kind),
    prepare: toolPreparer({
      fetcher,
      seal: TEST_SEAL,
      clock,
      log,
      openMcp: ({ workspaceId, ...server }) => openMcp(fetcher.of(workspaceId).stream, server),
      whyNoCallback: (...at) => time.during('check of a callback', whyNoCallback({ db, clock }, ...at)),
      lookUp: (at, args) => lookUpKnowledge({ db, log, meaning: null, waitMs: 0 }, at, args),
    }),
    knowledge: (workspaceId, config) => callKnowledge(db, workspaceId, config),
    providers: (...at) => time.during('providers of a call', readProviders(...at)),
  };
  function place(claimed: Claimed): void {
    const go = time.stop('placing a call');
    placing.set(`${claimed.callId}-${claimed.attempt}`, go);
    void placeOutbound(deps, claimed).finally(go);
  }

  /** One claim at a time: a call that another wait's batch claims is live when this one's turn has come. */
  let dialling: Promise<void> = Promise.resolve();
  const dial = (): Promise<void> => {
    dialling = dialling.catch(() => undefined).then(claimAndPlace);
    return dialling;
  };

  async function claimAndPlace(): Promise<void> {
    const visited: string[] = [];
    for (;;) {
      const batch = await time.during(
        'claiming calls',
        claimBatch({ db, clock, rate: RATE, nodeId }, { visited, capacity: 100 }),
      );
      if (batch === null) return;
      visited.push(batch.workspaceId);
      for (const claimed of batch.claimed) place(claimed);
    }
  }

  const request: VirtualService['request'] = async (method, path, body) => {
    const answer = await time.during(
      `${method} ${path}`,
      api.request(method as 'GET', path, { key: tenant.key, ...(body === undefined ? {} : { body }) }),
    );
    return { status: answer.status, body: answer.body };
  };
  const details = async (callId: string): Promise<any> =>
    (await request('GET', `/api/v0/calling/call-details?id=${callId}`)).body.data;
  const dueAt = async (callId: string): Promise<number> => {
    const row = await db
      .selectFrom('calls')
      .select('next_attempt_at')
      .where('id', '=', callId)
      .executeTakeFirst();
    return row?.next_attempt_at?.getTime() ?? 0;
  };
  const watch = async (callId: string, listener: (event: unknown) => void): Promise<() => void> => {
    // A claim passes over a workspace that another transaction has locked, such as the placing of another call.
    for (let tries = 0; !live.has(callId) && tries < MAX_CLAIMS; tries += 1) {
      if (tries > 0) await setTimeout(20);
      await dial();
    }
    const stop = live.watch(tenant.workspaceId, callId, listener);
    if (stop === null) throw new Error(`the call ${callId} is not live`);
    return stop;
  };
  const sees: VirtualService['sees'] = async (callId, what, holds) => {
    const seen: any[] = [];
    // Time stands still until the call is watched: another wait on this service may have dialled it already.
    const stop = await time.during(
      'a watcher of the call',
      watch(callId, (event) => void seen.push(event)),
    );
    try {
      return await time.until(what, () => seen.find(holds));
    } catch (error) {
      throw new Error(`${what}, after ${JSON.stringify(seen)}`, { cause: error });
    } finally {
      stop();
    }
  };

  return {
    api,
    tenant,
    time,
    carrier,
    request,
    dial,
    sees,
    recordingsDir,
    output: () => logged.join(''),
    async whenOver(callId) {
      for (;;) {
        if (!live.has(callId)) await dial();
        while (live.has(callId)) await time.step();
        const call = await details(callId);
        if (TERMINAL.includes(call.call_status)) return call;
        const due = await time.during('the call’s next attempt', dueAt(callId));
        await time.advance(Math.max(20, due - time.now()));
      }
    },
    async hasSaid(callId, words) {
      await sees(
        callId,
        `the agent to say ${words}`,
        ({ type, line }) => type === 'line' && line.role === 'agent' && words.test(line.text),
      );
    },
    async recordingOf({ recording_url: url }) {
      const { pathname, search } = new URL(url);
      const answer = await api.server.inject({ method: 'GET', url: `${pathname}${search}` });
      if (answer.statusCode !== 200) throw new Error(`no recording: ${answer.statusCode}`);
      return answer.rawPayload;
    },
    async close() {
      await workers.stop();
      await Promise.all([offlineTts.close(), offlineStt?.close(), recogniser.close(), fetcher.close()]);
      await recordings.close();
      await database.close();
      await api.close();
      await rm(recordingsDir, { recursive: true, force: true });
    },
  };
}
