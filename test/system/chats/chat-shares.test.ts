import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ChatWorker } from '../../../src/chat/chat-worker.ts';
import type { ChatTurns } from '../../../src/chat/chat-turns.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { createWorkspace, mondayClock, type TestWorkspace } from '../../helpers/database/workspace.ts';

let database: TestDatabase;
const clock = mondayClock();
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

async function dueChats({ id, agentId, versionId }: TestWorkspace, count: number): Promise<void> {
  const now = new Date(clock.now());
  for (let chat = 0; chat < count; chat += 1) {
    await sql`insert into chats (workspace_id, id, agent_id, version_id, channel, customer, due_at, created_at, ends_at)
      values (${id}, ${newId()}, ${agentId}, ${versionId}, 'web', ${newId()}, ${now}, ${now},
        ${new Date(clock.now() + 3_600_000)})`.execute(database.db);
  }
}

it('a tenant whose model never answers holds a quarter of the turns, however often the worker polls', async () => {
  const hanging = await createWorkspace(database.db);
  const other = await createWorkspace(database.db);
  await dueChats(hanging, 80);
  const begun: string[] = [];
  const turns: Pick<ChatTurns, 'answer'> = { answer: () => new Promise(() => undefined) };
  const worker = new ChatWorker({
    db: database.db,
    clock,
    log: silentLog,
    onStored: () => undefined,
    turns: turns as ChatTurns,
    onTurn: ({ workspaceId }) => begun.push(workspaceId),
  });
  const heldBy = ({ id }: TestWorkspace): number => begun.filter((each) => each === id).length;
  for (let poll = 0; poll < 5; poll += 1) await worker.poll();
  expect(heldBy(hanging)).toBe(16);
  await dueChats(other, 12);
  await worker.poll();
  expect([heldBy(hanging), heldBy(other)]).toEqual([16, 12]);
});
