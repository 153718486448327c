import { claimBatch, type ClaimDeps, type Batch } from '../../../src/scheduler/claim.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { settleAttempt, type Settled, type SettleDeps } from '../../../src/domain/calls/attempt/settle.ts';
import type { AttemptEnd } from '../../../src/domain/calls/attempt/next-step.ts';
import type { AttemptRef } from '../../../src/store/calls/attempts.ts';
import type { Db } from '../../../src/store/database.ts';
import { DEFAULT_CALL_CONFIG } from '../../../src/domain/agents/call-config.ts';
import { LiveCalls } from '../../../src/dialer/live-calls.ts';
import type { OutboundDeps } from '../../../src/dialer/outbound.ts';
import { TalkJournal } from '../../../src/dialer/talk-journal.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { createGround, type Ground } from '../database/database-and-clock.ts';
import { startedCampaign } from '../campaigns/due-campaigns.ts';
import { createNode, createWorkspace, type TestWorkspace } from '../database/workspace.ts';

const rate = { creditsPerMinute: 1, pulseSeconds: 60 };

const ALWAYS = { call_time: { timezone: 'Etc/UTC', call_start_time: '00:00', call_end_time: '00:00' } };

const callsOf = (db: Db, campaign: string) =>
  db.selectFrom('calls').selectAll().where('campaign_id', '=', campaign).orderBy('contact_row').execute();

/** A database and a node that claims calls. */
export interface Dialing extends Ground {
  deps: ClaimDeps & SettleDeps;
  /** Claims one batch. */
  claim(capacity?: number, visited?: readonly string[]): Promise<Batch | null>;
  /** The calls of one batch. */
  taken(capacity?: number): Promise<readonly Claimed[]>;
  /** Claims the single contact of a new campaign without calling window. */
  claimedContact(endAt?: Date): Promise<{ world: TestWorkspace; campaign: string; claimed: Claimed }>;
  /** The calls of a campaign in the order of its list. */
  callsOf(campaign: string): ReturnType<typeof callsOf>;
  /** Ends a claimed call, unanswered unless another end is given. */
  settle(claimed: AttemptRef, end?: AttemptEnd): Promise<Settled>;
}

/** An empty database with a node; each renewal creates another node. */
export async function createDialing(): Promise<Dialing> {
  const ground = await createGround({ maxConnections: 20 });
  const { db, url } = ground;
  const depsNow = async (): Promise<ClaimDeps & SettleDeps> => ({
    db,
    clock: ground.clock,
    rate,
    nodeId: await createNode(db),
    recordingUrl: () => 'http://localhost/recording',
  });
  const dialing: Dialing = {
    db,
    url,
    clock: ground.clock,
    deps: await depsNow(),
    async renew() {
      await ground.renew();
      dialing.clock = ground.clock;
      dialing.deps = await depsNow();
    },
    claim: (capacity = 1000, visited = []) => claimBatch(dialing.deps, { visited, capacity }),
    taken: async (capacity) => (await dialing.claim(capacity))?.claimed ?? [],
    async claimedContact(endAt) {
      const world = await createWorkspace(db, { callConfig: ALWAYS });
      const campaign = await startedCampaign({ db, clock: dialing.clock }, world, {
        contacts: 1,
        ...(endAt === undefined ? {} : { endAt }),
      });
      const [claimed] = await dialing.taken(1);
      if (claimed === undefined) throw new Error('nothing claimed');
      return { world, campaign, claimed };
    },
    callsOf: (campaign) => callsOf(db, campaign),
    settle: (c, end = { kind: 'not_answered', failure: 'no_answer' }) =>
      settleAttempt(
        { db, clock: dialing.clock, rate, recordingUrl: () => 'http://localhost/recording' },
        {
          workspaceId: c.workspaceId,
          callId: c.callId,
          attempt: c.attempt,
          nodeId: c.nodeId,
          ...(c.claimedAt === undefined ? {} : { claimedAt: c.claimedAt }),
          end,
          endedAt: dialing.clock.now(),
          answeredAt: end.kind === 'answered' ? dialing.clock.now() : null,
          hangupBy: null,
          sipCallId: null,
          sipCode: null,
          reason: null,
          toolLog: [],
          result: null,
        },
      ),
    close: () => ground.close(),
  };
  return dialing;
}

/** What placing claimed calls needs, with stand-ins for media, signalling and tools. */
export const placingDeps = ({ deps }: Dialing, over: Record<string, unknown> = {}): OutboundDeps =>
  ({
    ...deps,
    log: silentLog,
    live: new LiveCalls(),
    talk: new TalkJournal({ ...deps, log: silentLog }),
    onSettled: () => undefined,
    pauses: { note: () => Promise.resolve() },
    signalling: {
      mediaAddress: () => '127.0.0.1',
      mediaRules: () => ({ srtp: 'off', ranges: [], takes: () => true, owns: () => false }),
      trace: () => [],
    },
    sdp: { createOffer: () => 'v=0\r\n' },
    allocate: async () => ({ port: 40_000, release: () => undefined, prepare: () => undefined }),
    spec: { voiceKey: () => 'flite:rms', openSecret: () => null },
    prepare: async () => ({ ready: true, tools: preparedTools() }),
    knowledge: async () => [],
    providers: async () => ({}),
    ringTimeoutMs: 30_000,
    ...over,
  }) as unknown as OutboundDeps;

/** The claimed call with the settings that a stored agent has and a test agent lacks. */
export const wholeCall = (claimed: Claimed): Claimed => {
  const { versionConfig: config } = claimed;
  const agent = { preQueryResponsePhrases: [], vadSettings: {}, vocab: [], voiceSpeed: 1 };
  return {
    ...claimed,
    versionConfig: {
      ...config,
      agentConfig: { ...agent, ...config.agentConfig },
      callConfig: { ...DEFAULT_CALL_CONFIG, ...config.callConfig },
    },
  };
};

/** Tools of a call whose pre-call tools logged `log`. */
export const preparedTools = (log: readonly unknown[] = []) => ({
  log,
  learnt: {},
  specs: [],
  callback: null,
  close: () => Promise.resolve(),
});

/** Runs `work` with a database that refuses every connection. */
export async function withoutDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const away = openDatabase('postgres://nobody@127.0.0.1:9/none');
  try {
    return await work(away.kysely);
  } finally {
    await away.close();
  }
}
