import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AttemptJournal } from '../../../src/dialer/journal.ts';
import { LiveCalls } from '../../../src/dialer/live-calls.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { reapOrphans } from '../../../src/dialer/reaper.ts';
import { TalkJournal } from '../../../src/dialer/talk-journal.ts';
import { requestErasure, stepErasure } from '../../../src/domain/privacy/erase-numbers.ts';
import { changeRetention, sweepRetention } from '../../../src/domain/privacy/retention.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { dropTalk } from '../../../src/store/calls/talk-journal.ts';
import type { ConversationResult, ConversationProgress } from '../../../src/voice/conversation.ts';
import { checkStoredEvents } from '../../helpers/webhooks/event-schemas.ts';
import { eventually } from '../../helpers/service/service.ts';
import { endingOf } from '../../helpers/calls/settlement.ts';
import { conversationResult, createSettling, type Settling } from '../../helpers/calls/settling-node.ts';
import type { Ending } from '../../../src/domain/calls/attempt/next-step.ts';

let settling: Settling;
beforeAll(async () => {
  settling = await createSettling();
});
afterAll(() => settling.ground.close());
beforeEach(() => settling.renew());

const line = (role: 'agent' | 'caller', text: string) => ({
  role,
  text,
  startedAt: 1000,
  endedAt: 2000,
  interrupted: false,
  by: 'speech' as const,
});
const latency = (turn: number) => ({ ...conversationResult().latencies[0]!, turn });
const said = (more: Partial<ConversationProgress> = {}): ConversationProgress => ({
  transcript: [],
  latencies: [],
  interruptions: 0,
  toolLog: [],
  firstUtteranceMs: 420,
  ...more,
});
/** Two turns with a tool between them. */
const TURNS: readonly ConversationProgress[] = [
  said({ transcript: [line('agent', 'Hello, can you come?')] }),
  said({ transcript: [line('caller', 'Yes.')], latencies: [latency(1)] }),
  said({ toolLog: [{ name: 'look_up', args: { day: 'Tuesday' }, result: 'free', at: 5 }] }),
  said({
    transcript: [line('agent', 'On Tuesday?'), line('caller', 'Good.')],
    latencies: [latency(2)],
    interruptions: 1,
  }),
];
const WHOLE = {
  transcript: TURNS.flatMap(({ transcript }) => transcript),
  latency: [latency(1), latency(2)],
  tool_log: TURNS[2]!.toolLog,
  interruptions: 1,
  first_utterance_ms: 420,
  transcript_partial: true,
};

const deps = () => ({ ...settling.deps, log: silentLog });
const records = () => settling.ground.db.selectFrom('call_records').selectAll().execute();
const journalled = async (call: Claimed): Promise<number[]> =>
  (
    await settling.ground.db
      .selectFrom('talk_journal')
      .select('seq')
      .where('call_id', '=', call.callId)
      .orderBy('seq')
      .execute()
  ).map(({ seq }) => seq);

/** Journals pieces as the call's own process does, and waits until they are stored. */
async function talk(call: Claimed, pieces: readonly ConversationProgress[] = TURNS, from = 1): Promise<void> {
  const journal = new TalkJournal(deps());
  for (const [index, piece] of pieces.entries()) journal.add(call, from + index, piece);
  await journal.flush();
}
const fence = () =>
  settling.ground.db
    .updateTable('nodes')
    .set({ fenced_at: new Date(settling.ground.clock.now()) })
    .execute();
const ending = (result: ConversationResult | null): Ending =>
  endingOf(settling.ground.clock.now() + 10_000, {
    end: { kind: 'answered', reason: result?.reason ?? 'FAILED' },
    answeredAt: settling.ground.clock.now(),
    hangupBy: 'system',
    sipCallId: null,
    sipCode: null,
    result,
  });
const journalOf = (call: Claimed): AttemptJournal =>
  new AttemptJournal(call, { ...deps(), talk: new TalkJournal(deps()), live: new LiveCalls() });
const emitted = async (type: string) =>
  (await settling.events()).filter((event) => event.event_type === type).map((event) => event.body);

describe('a call whose process died', () => {
  it('gets the journalled talk in its record, events and analysis, once', async () => {
    const call = await settling.answered();
    await talk(call);
    expect(await journalled(call)).toEqual([1, 2, 3, 4]);
    await fence();
    expect(await reapOrphans(settling.deps)).toBe(1);
    expect(await records()).toMatchObject([{ ...WHOLE, attempt: 1 }]);
    expect(await journalled(call)).toEqual([]);
    const completed = await emitted('call_completed');
    const transcript = [
      { bot: 'Hello, can you come?' },
      { user: 'Yes.' },
      { bot: 'On Tuesday?' },
      { user: 'Good.' },
    ];
    expect(completed).toMatchObject([
      {
        sub_status: 'UNKNOWN_AFTER_CRASH',
        transcript,
        agent_message_count: 2,
        user_message_count: 2,
        tool_call_logs: [{ name: 'look_up' }],
        overall_latency_seconds: 0.75,
        first_utterance_seconds: 0.42,
      },
    ]);
    expect(await reapOrphans(settling.deps)).toBe(0);
    settling.ground.clock.advance(121_000);
    await settling.analyse();
    expect(await emitted('all_processing_completed')).toMatchObject([
      { transcript, platform_analysis: { status: 'analyzed' } },
    ]);
    expect(await emitted('call_completed')).toHaveLength(1);
    await checkStoredEvents(settling.ground.db);
  });

  it('gets the talk up to the first missing piece', async () => {
    const call = await settling.answered();
    await talk(call, TURNS.slice(0, 2));
    await talk(call, TURNS.slice(3), 4);
    await fence();
    await reapOrphans(settling.deps);
    expect(await records()).toMatchObject([{ transcript: WHOLE.transcript.slice(0, 2), tool_log: [] }]);
    expect(await journalled(call)).toEqual([]);
  });

  it("without any talk keeps an earlier attempt's transcript and adds its tool log", async () => {
    const call = await settling.answered();
    await sql`insert into call_records (workspace_id, call_id, attempt, transcript, tool_log, updated_at)
      values (${call.workspaceId}, ${call.callId}, 0, '[{"role":"agent","text":"Earlier"}]', '[{"name":"first"}]',
              now())`.execute(settling.ground.db);
    await talk(call, [TURNS[2]!]);
    await fence();
    await reapOrphans(settling.deps);
    expect(await records()).toMatchObject([
      {
        attempt: 0,
        transcript: [{ text: 'Earlier' }],
        tool_log: [{ name: 'first' }, { name: 'look_up' }],
        transcript_partial: false,
      },
    ]);
  });
});

describe('a call whose worker died', () => {
  it('gets the whole talk, including pieces not written yet', async () => {
    const call = await settling.answered();
    const journal = journalOf(call);
    for (const piece of TURNS) journal.talk(piece);
    await journal.settle(ending(null));
    expect(await records()).toMatchObject([WHOLE]);
    expect(await emitted('call_completed')).toMatchObject([{ user_message_count: 2 }]);
    await checkStoredEvents(settling.ground.db);
    expect(await journalled(call)).toEqual([]);
  });
});

describe('a call that ends with a result', () => {
  it('stores the result as its record and leaves no journal rows, also for late pieces', async () => {
    const call = await settling.answered();
    const journal = journalOf(call);
    for (const piece of TURNS) journal.talk(piece);
    await eventually('the journal to have it', async () =>
      (await journalled(call)).length === TURNS.length ? true : null,
    );
    await journal.settle(ending(conversationResult()));
    expect(await records()).toMatchObject([
      { transcript: [{ text: 'Hello' }, { text: 'Yes?' }], transcript_partial: false },
    ]);
    expect(await journalled(call)).toEqual([]);
    await talk(call);
    expect(await journalled(call)).toEqual([]);
  });

  it('stores no piece that arrives during its settlement', async () => {
    const call = await settling.answered();
    await talk(call, TURNS.slice(0, 1));
    const journal = new TalkJournal(deps());
    journal.add(call, 2, TURNS[1]!);
    const { flushed } = await settling.ground.db.transaction().execute(async (tx) => {
      await sql`update call_attempts set status = 'ended' where call_id = ${call.callId}`.execute(tx);
      const flush = journal.flush();
      await eventually('the piece to wait', async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(settling.ground.db);
        return rows.length > 0 ? true : null;
      });
      await dropTalk(tx, call);
      return { flushed: flush };
    });
    await flushed;
    expect(await journalled(call)).toEqual([]);
  });
});

describe('the talk journal', () => {
  it('stores pieces of the owning node only, each once, many calls in one statement', async () => {
    const [one, other] = [await settling.answered(), await settling.answered()];
    const journal = new TalkJournal(deps());
    journal.add({ ...one, nodeId: newId() }, 1, TURNS[0]!);
    journal.add({ ...other, workspaceId: one.workspaceId }, 1, TURNS[0]!);
    for (const seq of [1, 2]) journal.add(other, seq, TURNS[0]!);
    await journal.flush();
    expect([await journalled(one), await journalled(other)]).toEqual([[], [1, 2]]);
    journal.add(one, 1, TURNS[0]!);
    for (const seq of [1, 2, 3]) journal.add(other, seq, TURNS[1]!);
    await journal.flush();
    expect([await journalled(one), await journalled(other)]).toEqual([[1], [1, 2, 3]]);
    const stamps = await settling.ground.db
      .selectFrom('talk_journal')
      .select(sql`xmin::text`.as('x'))
      .execute();
    expect(new Set(stamps.map(({ x }) => x)).size).toBe(2);
  });

  it('buffers up to its limit during an outage and keeps an unbroken start of every talk', async () => {
    const call = await settling.answered();
    const away = openDatabase('postgres://nobody@127.0.0.1:9/none');
    const db = { kysely: away.kysely };
    const limit = JSON.stringify(TURNS[0]).length * 2;
    const journal = new TalkJournal(
      {
        ...deps(),
        get db() {
          return db.kysely;
        },
      },
      limit,
    );
    for (const seq of [1, 2, 3]) journal.add(call, seq, TURNS[0]!);
    await expect(journal.flush()).rejects.toThrow('ECONNREFUSED');
    journal.add(call, 4, TURNS[0]!);
    db.kysely = settling.ground.db;
    await journal.flush();
    await away.close();
    journal.add(call, 5, TURNS[0]!);
    await journal.flush();
    expect(await journalled(call)).toEqual([1, 2, 5]);
    await fence();
    await reapOrphans(settling.deps);
    expect((await records())[0]?.transcript).toHaveLength(2);
  });
});

describe('journalled talk of a live call', () => {
  it('is erased by number during the call and again after its end', async () => {
    const call = await settling.answered();
    await talk(call);
    await requestErasure(settling.deps, call.workspaceId, null, {
      id: newId(),
      mobileNumbers: [call.toNumber],
    });
    await sweepErasures();
    expect(await journalled(call)).toEqual([]);
    await talk(call, TURNS.slice(0, 1), 5);
    await fence();
    await reapOrphans(settling.deps);
    // Pieces after an erasure are no unbroken start any more.
    expect((await records()).map(({ transcript }) => transcript)).toEqual([]);
    settling.ground.clock.advance(5000);
    await sweepErasures();
    expect((await records())[0]?.erased_at).not.toBeNull();
    expect(await journalled(call)).toEqual([]);
  });

  it('of an unsettled call is deleted by the retention of transcripts', async () => {
    const call = await settling.answered();
    const kept = await settling.answered();
    await talk(call);
    await talk(kept);
    await changeRetention(settling.deps, call.workspaceId, null, { transcriptDays: 1 });
    await sweepRetention(settling.deps);
    expect(await journalled(call)).toEqual([1, 2, 3, 4]);
    settling.ground.clock.advance(86_400_001);
    await sweepRetention(settling.deps);
    expect([await journalled(call), await journalled(kept)]).toEqual([[], [1, 2, 3, 4]]);
  });
});

async function sweepErasures(): Promise<void> {
  while (await stepErasure(settling.deps)) {
    // Until nothing is due.
  }
}
