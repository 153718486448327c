import { claimTurn, type ClaimDeps, type Claimed, type Turn } from '../../src/dialer/claim.ts';
import { settleAttempt, type Settled } from '../../src/domain/calls/settle-call.ts';
import type { AttemptEnd } from '../../src/domain/calls/outcome.ts';
import type { AttemptRef } from '../../src/store/attempts.ts';
import type { Db } from '../../src/store/database.ts';
import { createGround, type Ground } from './ground.ts';
import { startLane } from './lanes.ts';
import { createNode, createWorkspace, type TestWorkspace } from './world.ts';

const rate = { creditsPerMinute: 1, pulseSeconds: 60 };

const ALWAYS = { call_time: { timezone: 'Etc/UTC', call_start_time: '00:00', call_end_time: '00:00' } };

const callsOf = (db: Db, lane: string) =>
  db.selectFrom('calls').selectAll().where('lane_id', '=', lane).orderBy('contact_row').execute();

/** A ground and a node that claims on it. */
export interface Dialing extends Ground {
  deps: ClaimDeps;
  /** One turn of the node. */
  claim(capacity?: number, visited?: readonly string[]): Promise<Turn | null>;
  /** What one turn takes. */
  taken(capacity?: number): Promise<readonly Claimed[]>;
  /** The one contact of a new campaign that may call at any time, claimed. */
  claimedContact(endAt?: Date): Promise<{ world: TestWorkspace; lane: string; claimed: Claimed }>;
  /** The calls of a campaign in the order of its list. */
  callsOf(lane: string): ReturnType<typeof callsOf>;
  /** Ends a claimed call, unanswered unless another end is given. */
  settle(claimed: AttemptRef, end?: AttemptEnd): Promise<Settled>;
}

/** A ground with nothing on it but a node; each renewal brings another. */
export async function createDialing(): Promise<Dialing> {
  const ground = await createGround({ maxConnections: 20 });
  const { db, url } = ground;
  const depsNow = async (): Promise<ClaimDeps> => ({
    db,
    clock: ground.clock,
    rate,
    nodeId: await createNode(db),
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
    claim: (capacity = 1000, visited = []) => claimTurn(dialing.deps, { visited, capacity }),
    taken: async (capacity) => (await dialing.claim(capacity))?.claimed ?? [],
    async claimedContact(endAt) {
      const world = await createWorkspace(db, { callConfig: ALWAYS });
      const lane = await startLane({ db, clock: dialing.clock }, world, {
        contacts: 1,
        ...(endAt === undefined ? {} : { endAt }),
      });
      const [claimed] = await dialing.taken(1);
      if (claimed === undefined) throw new Error('nothing claimed');
      return { world, lane, claimed };
    },
    callsOf: (lane) => callsOf(db, lane),
    settle: (c, end = { kind: 'not_answered', failure: 'no_answer' }) =>
      settleAttempt(
        { db, clock: dialing.clock, rate, recordingUrl: () => 'http://localhost/recording' },
        {
          workspaceId: c.workspaceId,
          callId: c.callId,
          attempt: c.attempt,
          nodeId: c.nodeId,
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
