import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProgram, type ProgramRun } from '../chaos/program.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { createAgent, place, provisionWith, whenCall } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';

let database: TestDatabase;
let caller: Service;
const runs: ProgramRun[] = [];
const dirs: string[] = [];
const shared = (): Record<string, string> => ({
  DATABASE_URL: database.url,
  SECRET_KEY: 'the key that all processes share on this database',
  LOG_LEVEL: 'info',
});
/** Starts the process that carries the calls; the others never start one. */
const startCaller = (): Promise<Service> => startService({ env: shared(), provision: provisionWith({}) });

beforeAll(async () => {
  database = await createTestDatabase();
  caller = await startCaller();
});
afterAll(async () => {
  for (const run of runs) run.kill('SIGKILL');
  await Promise.all(runs.map((run) => run.ended));
  await caller?.dispose();
  await database?.close();
  for (const dir of dirs) await rm(dir, { recursive: true, force: true });
});

async function beside(role: string): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'callwright-fence-'));
  dirs.push(dir);
  const run = startProgram({ ...shared(), ROLES: role, DATA_DIR: dir, PORT: '0' });
  runs.push(run);
  if (!(await run.ready)) throw new Error(run.output());
}

it.each(['jobs', 'api'])(
  'a process with the role %s alone fences the killed process of the calls and settles its calls',
  async (role) => {
    const agentId = await createAgent(caller);
    const answered = await place(caller, agentId, '+14155550006');
    const ringing = await place(caller, agentId, '+14155550003');
    await whenCall(caller, answered, 'answered', (call) => call.answered_at !== null);
    await whenCall(caller, ringing, 'ringing', (call) => call.call_sub_status === 'RINGING');
    await caller.end('SIGKILL');
    await beside(role);
    const ends = await eventually(
      'the calls to be settled',
      async () => {
        const { rows } = await sql<{
          status: string;
        }>`select status, sub_status, hangup_by, attempt from calls
          where id in (${answered}, ${ringing})`.execute(database.db);
        return rows.every(({ status }) => status !== 'ongoing') ? rows : null;
      },
      90_000,
    );
    const lost = { status: 'error', sub_status: 'UNKNOWN_AFTER_CRASH', hangup_by: 'system', attempt: 1 };
    expect(ends).toEqual([lost, lost]);
    for (const run of runs.splice(0)) {
      run.kill('SIGTERM');
      await run.ended;
      expect(run.child.exitCode).toBe(0);
    }
    caller = await startCaller();
  },
  300_000,
);
