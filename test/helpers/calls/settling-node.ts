import { ANALYSIS_JOB } from '../../../src/domain/calls/queue-analyses.ts';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial, markAnswered } from '../../../src/domain/calls/attempt/dial.ts';
import {
  settleAttempt,
  type Settled,
  type SettleDeps,
  type Settlement,
} from '../../../src/domain/calls/attempt/settle.ts';
import { analyseCall } from '../../../src/jobs/analyse-call.ts';
import { takeJobs } from '../../../src/store/jobs.ts';
import type { ConversationResult } from '../../../src/voice/conversation.ts';
import { analystsWith } from '../analysis/analysis-api.ts';
import { checkStoredEvents } from '../webhooks/event-schemas.ts';
import { createGround, type Ground } from '../database/database-and-clock.ts';
import { settlementOf } from './settlement.ts';
import { createNode, createWorkspace, queueCalls, type WorldOptions } from '../database/workspace.ts';

/** The result of a short conversation. */
export const conversationResult = (more: Partial<ConversationResult> = {}): ConversationResult => ({
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

/** A database with a node that claims, answers and settles calls. */
export interface Settling {
  readonly ground: Ground;
  readonly deps: SettleDeps & { readonly nodeId: string };
  renew(): Promise<void>;
  /** Claims the one due call. */
  claimed(): Promise<Claimed>;
  /** Creates an answered call in a new workspace. */
  answered(options?: WorldOptions, call?: Parameters<typeof queueCalls>[3]): Promise<Claimed>;
  /** Settles the attempt now. */
  settle(call: Claimed, more?: Partial<Settlement>): Promise<Settled>;
  /** Runs the due analyses. */
  analyse(): Promise<void>;
  events(): Promise<any[]>;
}

/** Uses a new database; call `renew` before every test. */
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
      const turn = await claimBatch(deps(), { visited: [], capacity: 1 });
      const call = turn?.claimed[0];
      if (call === undefined) throw new Error('nothing claimed');
      return call;
    },
    async answered(options: WorldOptions = {}, call: Parameters<typeof queueCalls>[3] = {}) {
      await queueCalls(ground.db, await createWorkspace(ground.db, options), 1, call);
      const claimed = await settling.claimed();
      await dial(deps(), claimed, { sipCallId: 'sip-1' });
      await markAnswered(deps(), claimed, { at: ground.clock.now() });
      return claimed;
    },
    settle: (call: Claimed, more: Partial<Settlement> = {}) =>
      settleAttempt(deps(), settlementOf(call, ground.clock.now(), more)),
    async analyse() {
      const { taken: jobs } = await takeJobs(ground.db, {
        kind: ANALYSIS_JOB,
        now: new Date(ground.clock.now()),
        leaseUntil: new Date(ground.clock.now() + 60_000),
        places: { free: 10, parts: 1, shares: [] },
        maxAttempts: 4,
      });
      const handler = analyseCall({ ...deps(), analystOf: analystsWith(), onEvents: () => undefined });
      for (const job of jobs) await handler.run(job);
    },
    events: (): Promise<any[]> => ground.db.selectFrom('events').selectAll().orderBy('seq').execute(),
  };
  return settling;
}

/** Settling for all tests of a file: renewed before each test; after it, every event must match its schema. */
export function settlingOfFile(): Settling {
  const settling = {} as Settling;
  beforeAll(async () => {
    const made = await createSettling();
    // `renew` replaces them.
    Object.defineProperty(Object.assign(settling, made), 'deps', { get: () => made.deps });
  });
  beforeEach(() => settling.renew());
  afterEach(() => checkStoredEvents(settling.ground.db));
  afterAll(() => settling.ground.close());
  return settling;
}
