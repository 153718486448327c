import { setTimeout as sleep } from 'node:timers/promises';
import { permitRefer, permitTransfer } from '../../../src/dialer/transfer.ts';
import { hold, NOTHING, paid, settleHold, type HoldRequest } from '../../../src/domain/admission/holds.ts';
import type { AnalysisInput, Analyst } from '../../../src/domain/analysis/analysis.ts';
import { paidAnalyst } from '../../../src/domain/analysis/paid-analyst.ts';
import { rulesAnalyst } from '../../../src/domain/analysis/rules-analyst.ts';
import { dial, markAnswered } from '../../../src/domain/calls/attempt/dial.ts';
import { settleAttempt } from '../../../src/domain/calls/attempt/settle.ts';
import { closeTransferLeg, releaseRefer } from '../../../src/domain/calls/attempt/transfer-charges.ts';
import { takeInbound } from '../../../src/domain/calls/take-inbound.ts';
import { holdEmbeddings } from '../../../src/domain/knowledge/embedding-charges.ts';
import { MeaningSearch } from '../../../src/domain/knowledge/meaning-search.ts';
import { takeWebCall } from '../../../src/domain/web-calls/take-web-call.ts';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import { systemClock as clock } from '../../../src/shared/clock.ts';
import { newId, randomToken, sha256 } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { AttemptRef } from '../../../src/store/calls/attempts.ts';
import { insertWebCallToken } from '../../../src/store/calls/web-calls.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { registerNode } from '../../../src/store/nodes.ts';
import { settlementOf } from '../../helpers/calls/settlement.ts';
import { GateJournal, type Gate } from './gates.ts';
import type { MoneyWorld } from './run.ts';

/**
 * A process that takes and settles money at every gate until it is killed: calls out and in, browser calls, both transfers, turns
 * of chats and tests, previews, embeddings, searches and analyses. Its arguments: the database, its node's id, the world as JSON, and
 * the file that tells which gates it is inside.
 */
const [url = '', nodeId = '', json = '', journalPath = ''] = process.argv.slice(2);
const LANES = 6;
const journal = new GateJournal(journalPath, LANES);
const world = JSON.parse(json) as MoneyWorld;
const { kysely: db } = openDatabase(url, { maxConnections: 8, applicationName: 'money' });
const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
const recordingUrl = (): string => 'http://localhost/recording';
const deps = { db, clock, rate, nodeId, recordingUrl };
const inbound = { db, clock, rate, nodeId: () => nodeId };
const { id: workspaceId, agentId, versionId, trunkId, number } = world;
const DESK = '+14155550111';
const MOST_TALK_MS = 150_000;
const CONVERSATION: AnalysisInput = {
  language: 'en-US',
  timeZone: 'Etc/UTC',
  endedAt: 0,
  subStatus: 'USER_LEFT',
  hangupBy: 'caller',
  agentName: 'Maya',
  prompt: '',
  transcript: [{ role: 'caller', text: 'Yes, please.' }],
  tools: [],
  labels: [],
  client: null,
  evaluations: [],
};

const dice = (sides: number): number => Math.floor(Math.random() * sides);
const pause = (): Promise<void> => sleep(dice(15));

/** Talks, perhaps with transfers, and ends; each part may fail to happen, as in a crash. */
async function talk(lane: number, ref: AttemptRef): Promise<void> {
  await markAnswered({ db, clock }, ref, { at: clock.now() });
  await pause();
  if (dice(3) === 0) await journal.inside(lane, 'cold transfer', () => refer(ref));
  if (dice(3) === 0) await journal.inside(lane, 'warm transfer', () => transfer(ref));
  else await pause();
  await settleAttempt(deps, settlementOf(ref, clock.now() + dice(MOST_TALK_MS)));
}

async function refer(ref: AttemptRef): Promise<void> {
  const permit = await permitRefer(deps, ref, trunkId, DESK);
  if (permit.go && permit.leg !== null && dice(2) === 0) await releaseRefer(deps, ref, permit.leg);
}

async function transfer(ref: AttemptRef): Promise<void> {
  const permit = await permitTransfer(deps, ref, trunkId, DESK);
  await pause();
  if (permit.go !== true || dice(2) === 0) return;
  const now = clock.now();
  await closeTransferLeg(deps, ref, { leg: permit.leg, answeredAt: now - dice(MOST_TALK_MS), endedAt: now });
}

async function callOut(lane: number): Promise<void> {
  const batch = await claimBatch(deps, { visited: [], capacity: 4 });
  for (const claimed of batch?.claimed ?? []) {
    const permit = await dial(deps, claimed);
    if (permit.go) await talk(lane, claimed);
  }
}

async function callIn(lane: number): Promise<void> {
  const decision = await takeInbound(inbound, {
    trunkIds: [trunkId],
    from: '+14155558888',
    to: number,
    displayName: null,
    callId: newId(),
    sipCallId: newId(),
  });
  if ('taken' in decision) await talk(lane, decision.taken);
}

async function browse(lane: number): Promise<void> {
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
  if ('taken' in decision) await talk(lane, decision.taken);
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

const prices = { thousandEmbeddings: 100, analysis: 0.25 };

async function embed(): Promise<void> {
  const texts = Array.from({ length: 1 + dice(4) }, () => ({
    workspaceId,
    kbId: newId(),
    sourceId: newId(),
    writtenAt: new Date(0),
    tries: 1,
  }));
  const charge = await holdEmbeddings({ db, clock, prices }, texts, 400);
  await pause();
  await charge.settle(dice(4) > 0);
}

const meaning = new MeaningSearch({
  db,
  clock,
  log: silentLog,
  prices,
  hasNear: false,
  embedder: {
    name: 'money',
    async embed(texts) {
      await pause();
      return texts.map(() => new Float32Array(2));
    },
  },
});
const search = (): Promise<unknown> =>
  meaning.search({ workspaceId, kbIds: [newId()], byStranger: dice(2) === 0 }, newId(), 3, 1000);

async function analyse(): Promise<void> {
  const model: Analyst = {
    name: 'model',
    async analyse(input) {
      await pause();
      if (dice(4) === 0) throw new Error('the model failed');
      return rulesAnalyst.analyse(input);
    },
  };
  const kind = (['call', 'chat', 'test'] as const)[dice(3)] ?? 'call';
  const subject = { kind, workspaceId, subjectId: newId(), byStranger: dice(2) === 0 };
  await paidAnalyst({ db, clock, prices }, subject, model)
    .analyse(CONVERSATION)
    .catch(() => undefined);
}

const WORK: readonly (readonly [Gate, (lane: number) => Promise<unknown>])[] = [
  ['outbound call', callOut],
  ['inbound call', callIn],
  ['browser call', browse],
  ['chat turn', () => turn('chat')],
  ['test turn', () => turn('test')],
  ['preview', preview],
  ['embeddings', embed],
  ['search', search],
  ['analysis', analyse],
];

await registerNode(db, { id: nodeId, name: nodeId, roles: 'all' }, new Date(clock.now()));
process.send?.('ready');
await Promise.all(
  Array.from({ length: LANES }, async (_, lane) => {
    // Ends with the process. A statement that loses to the reaper fails alone.
    for (;;) {
      const [gate, work] = WORK[dice(WORK.length)] ?? (['preview', preview] as const);
      const done = journal.inside(lane, gate, () => work(lane));
      await done.catch((error: Error) => process.send?.(error.message));
    }
  }),
);
