import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { analystFor } from '../../src/app/analyses.ts';
import { claimTurn, type Claimed } from '../../src/dialer/claim.ts';
import { markAnswered, markDialing } from '../../src/dialer/journal.ts';
import { ANALYSIS_JOB } from '../../src/domain/analysis/queue-analysis.ts';
import {
  settleAttempt,
  type Settled,
  type SettleDeps,
  type Settlement,
} from '../../src/domain/calls/settle-call.ts';
import { analyseCall } from '../../src/jobs/analyse-call.ts';
import { takeJobs } from '../../src/store/jobs.ts';
import type { CallResult } from '../../src/workers/protocol.ts';
import { checkStoredEvents } from './event-schemas.ts';
import { createGround, type Ground } from './ground.ts';
import { settlementOf } from './settlement.ts';
import { createNode, createWorkspace, queueCalls, type WorldOptions } from './world.ts';

/** What a short conversation leaves behind. */
export const conversationResult = (more: Partial<CallResult> = {}): CallResult => ({
  reason: 'USER_LEFT',
  transcript: [
    { role: 'agent', text: 'Hello', startedAt: 0, endedAt: 900, interrupted: false, by: 'speech' },
    { role: 'caller', text: 'Yes?', startedAt: 1000, endedAt: 1400, interrupted: false, by: 'speech' },
  ],
  latencies: [
    {
      turn: 1,
      endpointingMs: 300,
      recognitionMs: 100,
      modelMs: 200,
      voiceMs: 150,
      totalMs: 750,
      prepared: true,
    },
  ],
  interruptions: 1,
  toolLog: [{ name: 'end_call', args: {}, result: 'ok', at: 5 }],
  optedOut: false,
  callback: null,
  firstUtteranceMs: 640,
  recording: { path: 'recordings/a.wav', durationMs: 61_000, bytes: 1_000_000, failed: false },
  media: null,
  transfers: [],
  startedAt: 0,
  endedAt: 0,
  ...more,
});

/** A ground whose calls are claimed, answered and settled by a process of its own. */
export interface Settling {
  readonly ground: Ground;
  readonly deps: SettleDeps & { readonly nodeId: string };
  renew(): Promise<void>;
  /** The one call that is due. */
  claimed(): Promise<Claimed>;
  /** A call of a workspace of its own that somebody has answered. */
  answered(options?: WorldOptions, call?: Parameters<typeof queueCalls>[3]): Promise<Claimed>;
  /** Settles the attempt now. */
  settle(call: Claimed, more?: Partial<Settlement>): Promise<Settled>;
  /** Does the analyses that are due. */
  analyse(): Promise<void>;
  events(): Promise<any[]>;
}

/** A ground of its own; `renew` comes before every test. */
export async function createSettling(): Promise<Settling> {
  const ground = await createGround({ maxConnections: 20 });
  const deps = () => settling.deps;
  const settling = {
    ground,
    deps: {
      db: ground.db,
      clock: ground.clock,
      rate: { creditsPerMinute: 1, pulseSeconds: 60 },
      nodeId: '',
      recordingUrl: (_: string, callId: string) => `http://localhost/recordings/${callId}.wav`,
    },
    async renew() {
      await ground.renew();
      settling.deps = { ...deps(), clock: ground.clock, nodeId: await createNode(ground.db) };
    },
    async claimed() {
      const turn = await claimTurn(deps(), { visited: [], capacity: 1 });
      const call = turn?.claimed[0];
      if (call === undefined) throw new Error('nothing claimed');
      return call;
    },
    async answered(options: WorldOptions = {}, call: Parameters<typeof queueCalls>[3] = {}) {
      await queueCalls(ground.db, await createWorkspace(ground.db, options), 1, call);
      const claimed = await settling.claimed();
      await markDialing(deps(), claimed, 'sip-1');
      await markAnswered(deps(), claimed, { at: ground.clock.now() });
      return claimed;
    },
    settle: (call: Claimed, more: Partial<Settlement> = {}) =>
      settleAttempt(deps(), settlementOf(call, ground.clock.now(), more)),
    async analyse() {
      const jobs = await takeJobs(ground.db, {
        kinds: [ANALYSIS_JOB],
        now: new Date(ground.clock.now()),
        leaseUntil: new Date(ground.clock.now() + 60_000),
        limit: 10,
        maxAttempts: 4,
      });
      const handler = analyseCall({ ...deps(), analyst: analystFor(null), onEvents: () => undefined });
      for (const job of jobs) await handler.run(job);
    },
    events: (): Promise<any[]> => ground.db.selectFrom('events').selectAll().orderBy('seq').execute(),
  };
  return settling;
}

/** The settling of all tests of a file: renewed before each, after which every event is as its schema says. */
export function settlingOfFile(): Settling {
  const settling = {} as Settling;
  beforeAll(async () => {
    const made = await createSettling();
    // A renewal replaces them.
    Object.defineProperty(Object.assign(settling, made), 'deps', { get: () => made.deps });
  });
  beforeEach(() => settling.renew());
  afterEach(() => checkStoredEvents(settling.ground.db));
  afterAll(() => settling.ground.close());
  return settling;
}
