import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ChatTurns, type OpenAgent } from '../../../src/chat/chat-turns.ts';
import type { TurnGate } from '../../../src/chat/turn-gate.ts';
import type { BrainContext } from '../../../src/providers/ports/model.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { leaseChat, type LeasedChat } from '../../../src/store/chats/turns.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { createWorkspace, mondayClock, type TestWorkspace } from '../../helpers/database/workspace.ts';

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
const openAgent: OpenAgent = async () => ({
  context,
  llm: {
    reply: (_request, onEvent) => {
      onEvent({ type: 'delta', text: 'Thank you.' });
      onEvent({ type: 'done', memory: null, expected: null });
    },
    close: () => undefined,
  },
  tools: { specs: [], learnt: {}, log: [], run: async () => ({ ok: true, result: null }) },
  close: () => undefined,
});

it('sixteen turns that wait for the lock of their workspace leave connections to the chats of another one', async () => {
  const [locked, other] = [await createWorkspace(database.db), await createWorkspace(database.db)];
  const work = openDatabase(database.url, { maxConnections: 12 });
  const lease = async ({ id, agentId, versionId }: TestWorkspace): Promise<LeasedChat> => {
    const chatId = newId();
    const now = new Date(clock.now());
    await sql`insert into chats (workspace_id, id, agent_id, version_id, channel, customer, due_at, created_at, ends_at)
      values (${id}, ${chatId}, ${agentId}, ${versionId}, 'web', ${newId()}, ${now}, ${now},
        ${new Date(clock.now() + 3_600_000)})`.execute(database.db);
    const times = { now, leaseUntil: new Date(clock.now() + 60_000) };
    const chat = await leaseChat(database.db, id, chatId, times);
    if (chat === null) throw new Error('the chat was not leased');
    return chat;
  };
  let [waiting, most] = [0, 0];
  /** Admits every turn, once it has the lock of its workspace. */
  const gate = {
    admit: async ({ workspaceId }: LeasedChat) => {
      waiting += 1;
      most = Math.max(most, waiting);
      await sql`select from workspaces where id = ${workspaceId} for update`.execute(work.kysely);
      waiting -= 1;
      return { turns: 6 };
    },
    settle: async () => undefined,
    orRelease: (_admitted: unknown, run: () => Promise<unknown>) => run(),
  } as unknown as TurnGate;
  const turns = new ChatTurns({
    db: work.kysely,
    clock,
    log: silentLog,
    openAgent,
    gate,
    onStored: () => undefined,
  });
  const chats: LeasedChat[] = [];
  for (let n = 0; n < 16; n += 1) chats.push(await lease(locked));
  const another = await lease(other);
  const unlock = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const holder = database.db.transaction().execute(async (tx) => {
    await sql`select from workspaces where id = ${locked.id} for update`.execute(tx);
    holding.resolve();
    await unlock.promise;
  });
  await holding.promise;
  const answers = chats.map((chat) => turns.answer(chat));
  try {
    await expect.poll(() => waiting).toBe(3);
    expect(await turns.answer(another)).toMatchObject({ said: ['Thank you.'] });
  } finally {
    unlock.resolve();
    await holder;
  }
  expect((await Promise.all(answers)).filter((turn) => turn !== null)).toHaveLength(16);
  expect(most).toBeLessThanOrEqual(4);
  await work.close();
});
