import { setTimeout as sleep } from 'node:timers/promises';
import { permitRefer, permitTransfer } from '../../../src/dialer/transfer.ts';
import { hold, NOTHING, paid, settleHold, type HoldRequest } from '../../../src/domain/admission/holds.ts';
import { dial, markAnswered } from '../../../src/domain/calls/attempt/dial.ts';
import { settleAttempt } from '../../../src/domain/calls/attempt/settle.ts';
import { closeTransferLeg, releaseRefer } from '../../../src/domain/calls/attempt/transfer-charges.ts';
import { takeInbound } from '../../../src/domain/calls/take-inbound.ts';
import { takeWebCall } from '../../../src/domain/web-calls/take-web-call.ts';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import { systemClock as clock } from '../../../src/shared/clock.ts';
import { newId, randomToken, sha256 } from '../../../src/shared/ids.ts';
import type { AttemptRef } from '../../../src/store/calls/attempts.ts';
import { insertWebCallToken } from '../../../src/store/calls/web-calls.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { registerNode } from '../../../src/store/nodes.ts';
import { settlementOf } from '../../helpers/calls/settlement.ts';
import type { MoneyWorld } from './run.ts';

/**
 * A process that takes and settles money at every gate until it is killed: calls out and in, browser calls, both transfers, turns
 * of chats and tests, previews. Its arguments: the database, its node's id and the world as JSON.
 */
const [url = '', nodeId = '', json = ''] = process.argv.slice(2);
const world = JSON.parse(json) as MoneyWorld;
const { kysely: db } = openDatabase(url, { maxConnections: 8, applicationName: 'money' });
const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
const recordingUrl = (): string => 'http://localhost/recording';
const deps = { db, clock, rate, nodeId, recordingUrl };
const inbound = { db, clock, rate, nodeId: () => nodeId };
const { id: workspaceId, agentId, versionId, trunkId, number } = world;
const DESK = '+14155550111';
const MOST_TALK_MS = 150_000;

const dice = (sides: number): number => Math.floor(Math.random() * sides);
const pause = (): Promise<void> => sleep(dice(15));

/** Talks, perhaps with transfers, and ends; each part may fail to happen, as in a crash. */
async function talk(ref: AttemptRef): Promise<void> {
  await markAnswered({ db, clock }, ref, { at: clock.now() });
  await pause();
  const refer = dice(3) === 0 ? await permitRefer(deps, ref, trunkId, DESK) : null;
  if (refer?.go === true && refer.leg !== null && dice(2) === 0) await releaseRefer(deps, ref, refer.leg);
  const warm = dice(3) === 0 ? await permitTransfer(deps, ref, trunkId, DESK) : null;
  await pause();
  if (warm?.go === true && dice(2) === 0) {
    const now = clock.now();
    await closeTransferLeg(deps, ref, { leg: warm.leg, answeredAt: now - dice(MOST_TALK_MS), endedAt: now });
  }
  await settleAttempt(deps, settlementOf(ref, clock.now() + dice(MOST_TALK_MS)));
}

async function callOut(): Promise<void> {
  const batch = await claimBatch(deps, { visited: [], capacity: 4 });
  for (const claimed of batch?.claimed ?? []) {
    const permit = await dial(deps, claimed);
    if (permit.go) await talk(claimed);
  }
}

async function callIn(): Promise<void> {
  const decision = await takeInbound(inbound, {
    trunkIds: [trunkId],
    from: '+14155558888',
    to: number,
    displayName: null,
    callId: newId(),
    sipCallId: newId(),
  });
  if ('taken' in decision) await talk(decision.taken);
}

async function browse(): Promise<void> {
  const token = randomToken(43);
  const at = new Date(clock.now());
  await insertWebCallToken(
    db,
    {
      tokenHash: sha256(token),
      workspaceId,
      callId: newId(),
      agentId,
      versionId,
      origin: null,
      mediaType: 'audio',
      args: {},
      maxMs: null,
      byStranger: dice(2) === 0,
      expiresAt: new Date(at.getTime() + 60_000),
    },
    at,
  );
  const decision = await takeWebCall(inbound, { token, origin: null });
  if ('taken' in decision) await talk(decision.taken);
}

async function turn(kind: 'chat' | 'test'): Promise<void> {
  const request: HoldRequest = {
    workspaceId,
    kind,
    subjectId: newId(),
    step: 1,
    price: { each: 250_000, most: 6 },
    byStranger: kind === 'chat',
    lifeMs: 400,
  };
  const answer = await hold({ db, clock }, request);
  if (!answer.admitted) return;
  await pause();
  const rounds = dice(answer.turns + 1);
  const used = rounds === 0 ? NOTHING : { amount: rounds * 250_000, turns: rounds };
  await db.transaction().execute((tx) => settleHold(tx, { clock }, answer.held, used));
}

const preview = (): Promise<unknown> =>
  paid(
    { db, clock },
    {
      workspaceId,
      kind: 'preview',
      subjectId: newId(),
      price: { amount: 100_000 },
      byStranger: false,
      lifeMs: 400,
    },
    pause,
  ).catch(() => undefined);

const GATES = [callOut, callIn, browse, () => turn('chat'), () => turn('test'), preview];

await registerNode(db, { id: nodeId, name: nodeId, roles: 'all' }, new Date(clock.now()));
process.send?.('ready');
await Promise.all(
  Array.from({ length: 6 }, async () => {
    // Ends with the process. A statement that loses to the reaper fails alone.
    for (;;) await GATES[dice(GATES.length)]?.().catch((error: Error) => process.send?.(error.message));
  }),
);
