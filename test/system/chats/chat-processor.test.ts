import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ChatTurns, type OpenAgent } from '../../../src/chat/chat-turns.ts';
import type { TurnGate } from '../../../src/chat/turn-gate.ts';
import { ChatProcessor } from '../../../src/chat/turn-processor.ts';
import type { BrainContext } from '../../../src/providers/ports/model.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { leaseChat } from '../../../src/store/chats/turns.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { createWorkspace, mondayClock } from '../../helpers/database/workspace.ts';

let database: TestDatabase;
const clock = mondayClock();
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

const context: BrainContext = {
  language: 'en-US',
  secondaryLanguage: null,
  prompt: '',
  instructions: '',
  sections: [],
  introMessage: '',
  agentName: 'Maya',
  variables: {},
  understandsSpeech: true,
  tools: [],
  callDirection: 'webcall',
  channel: 'text',
};
/** Every turn is free. */
const gate = {
  admit: async () => ({ turns: 6 }),
  settle: async () => undefined,
  orRelease: (_admitted: unknown, work: () => Promise<unknown>) => work(),
} as unknown as TurnGate;

it('a chat whose turns use too much processor time ends with the reason in its record, another goes on', async () => {
  const { db } = database;
  const workspace = await createWorkspace(db);
  let usedMs = 0;
  let costMs = 0;
  const openAgent: OpenAgent = async () => ({
    context,
    llm: {
      reply: (_request, onEvent) => {
        usedMs += costMs;
        onEvent({ type: 'delta', text: 'Thank you.' });
        onEvent({ type: 'done', memory: null, expected: null });
      },
      close: () => undefined,
    },
    tools: { specs: [], learnt: {}, log: [], run: async () => ({ ok: true, result: null }) },
    close: () => undefined,
  });
  const turns = new ChatTurns({
    db,
    clock,
    log: silentLog,
    openAgent,
    gate,
    onStored: () => undefined,
    processor: new ChatProcessor(clock, () => usedMs),
  });
  const open = async (): Promise<string> => {
    const id = newId();
    const now = new Date(clock.now());
    await sql`insert into chats (workspace_id, id, agent_id, version_id, channel, customer, due_at, created_at, ends_at)
      values (${workspace.id}, ${id}, ${workspace.agentId}, ${workspace.versionId}, 'web', ${newId()}, ${now}, ${now},
        ${new Date(clock.now() + 3_600_000)})`.execute(db);
    return id;
  };
  const answer = async (id: string, ms: number): Promise<unknown> => {
    costMs = ms;
    const times = { now: new Date(clock.now()), leaseUntil: new Date(clock.now() + 60_000) };
    const chat = await leaseChat(db, workspace.id, id, times);
    if (chat !== null) await turns.answer(chat);
    const { rows } = await sql`select state, end_reason from chats where id = ${id}`.execute(db);
    return rows[0];
  };

  const [costly, usual] = [await open(), await open()];
  expect(await answer(usual, 20)).toEqual({ state: 'open', end_reason: null });
  expect(await answer(costly, 2_500)).toEqual({ state: 'closed', end_reason: 'PROCESSOR_TIME_EXCEEDED' });
  const said = await sql`select text from chat_messages where chat_id = ${costly}`.execute(db);
  expect(said.rows).toEqual([{ text: 'Thank you.' }]);
});
