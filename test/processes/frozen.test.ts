import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram, type ProgramRun } from '../chaos/program.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import {
  startLoggingCarrier,
  type LoggedInvite,
  type LoggingCarrier,
} from '../helpers/sip/logging-carrier.ts';
import { edit } from '../helpers/sip/phone-service.ts';
import {
  createAgent,
  details,
  place,
  provisionWith,
  whenCall,
  whenOver,
} from '../helpers/service/scenario.ts';
import { eventually, freeSipPort, startService, type Service } from '../helpers/service/service.ts';
import { startToolServer, type ToolServer } from '../helpers/agents/tool-server.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

const SILENT = '+12125550001';
const RINGING = '+12125550002';
const TALKING = '+12125550003';
/** Claimed; waits for a pre-call tool before its INVITE. */
const PREPARED = '+12125550004';
const CALLEES = {
  [SILENT]: 'silent',
  [RINGING]: 'ringing',
  [TALKING]: 'talking',
  [PREPARED]: 'busy',
} as const;

let database: TestDatabase;
let carrier: LoggingCarrier;
let tool: ToolServer;
let api: Service;
let agentId = '';
const dirs: string[] = [];
const runs: ProgramRun[] = [];
const frozen = Promise.withResolvers<void>();
const shared = (): Record<string, string> => ({
  DATABASE_URL: database.url,
  SECRET_KEY: 'the key that all processes share on this database',
  SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
});

/** Starts a dialer process; returns it with the SIP port that its INVITEs come from. */
async function startCaller(rtpPorts: string): Promise<{ run: ProgramRun; sipPort: number }> {
  const dir = await mkdtemp(join(tmpdir(), 'callwright-frozen-'));
  dirs.push(dir);
  const sipPort = await freeSipPort();
  const run = startProgram({
    ...shared(),
    ROLES: 'dialer,media',
    DATA_DIR: dir,
    SIP_PORT: String(sipPort),
    RTP_PORTS: rtpPorts,
  });
  runs.push(run);
  if (!(await run.ready)) throw new Error(run.output());
  return { run, sipPort };
}

beforeAll(async () => {
  database = await createTestDatabase();
  carrier = await startLoggingCarrier((number) => CALLEES[number as keyof typeof CALLEES]);
  // The first response arrives while the requesting process is frozen.
  tool = await startToolServer((_, n) => (n === 1 ? { after: frozen.promise } : {}));
  api = await startService({
    env: { ...shared(), ROLES: 'api,jobs' },
    provision: provisionWith({
      trunks: [{ name: 'carrier', uri: `sip:127.0.0.1:${carrier.port};transport=udp` }],
      trunk: 'carrier',
    }),
  });
  // The callee is silent until the process is frozen.
  agentId = await createAgent(api, {
    call_config: { idle_timeout_warning: 60, idle_timeout_end: 120 },
  });
});
afterAll(async () => {
  for (const run of runs) run.kill('SIGKILL');
  await Promise.all(runs.map((run) => run.ended));
  await api?.dispose();
  await tool?.close();
  await carrier?.close();
  await database?.close();
  for (const dir of dirs) await rm(dir, { recursive: true, force: true });
});

/** Outcome and charges of all attempts. */
async function books(): Promise<unknown> {
  const { db } = database;
  const all = await Promise.all([
    sql`select id, status, sub_status, attempt, node_id, dialed_at, answered_at, cost, reserved, next_attempt_at
      from calls order by id`.execute(db),
    sql`select * from call_attempts order by call_id, attempt`.execute(db),
    sql`select * from ledger order by call_id, attempt, kind`.execute(db),
    sql`select id, credits from workspaces order by id`.execute(db),
    sql`select call_id, event_type, dedup, occurred_at from events
      where event_type in ('call_started', 'call_ringing', 'call_ongoing', 'call_completed')
      order by call_id, seq`.execute(db),
  ]);
  return all.map(({ rows }) => rows);
}
const invitesTo = (number: string): LoggedInvite[] => carrier.invites.filter(({ to }) => to === number);
const once = { call_config: { call_retry_config: { retry_count: 0 } } };

describe('a process that is frozen longer than its lease and resumes', () => {
  it('is fenced: it neither dials nor settles its calls, and exits', async () => {
    const first = await startCaller('26000-26199');
    const asking = await createAgent(api);
    await edit(api, asking, 'edit_pre_call_tools', {
      pre_call_tools: [{ type: 'API_TOOL', name: 'may_call', method: 'GET', url: `${tool.origin}/may` }],
    });
    const ringing = await place(api, agentId, RINGING, once);
    await whenCall(api, ringing, 'ringing', (call) => call.call_sub_status === 'RINGING');
    const silent = await place(api, agentId, SILENT, once);
    await eventually('an INVITE', async () => (invitesTo(SILENT).length > 0 ? true : null));
    const talking = await place(api, agentId, TALKING, once);
    const prepared = await place(api, asking, PREPARED, once);
    await eventually('the tool to be called', async () => (tool.seen.length === 1 ? true : null));
    await whenCall(api, talking, 'answered', (call) => call.answered_at !== null);
    first.run.kill('SIGSTOP');
    frozen.resolve();

    const second = await startCaller('26200-26399');
    for (const id of [talking, ringing, silent]) {
      expect(await whenOver(api, id)).toMatchObject({ call_sub_status: 'UNKNOWN_AFTER_CRASH' });
    }
    expect(await whenOver(api, prepared)).toMatchObject({ call_sub_status: 'BUSY' });
    const before = await books();
    const heard = carrier.invites.length;

    first.run.kill('SIGCONT');
    await first.run.ended;
    expect(first.run.child.exitCode).toBe(1);
    expect(first.run.output()).toContain('taken for dead');
    expect(carrier.invites.slice(heard)).toEqual([]);
    expect(await books()).toEqual(before);
    // The caller still on the line is hung up.
    await eventually('the end of the conversation', async () =>
      carrier.byes.has(invitesTo(TALKING)[0]?.callId ?? '') ? true : null,
    );

    for (const number of [TALKING, RINGING, SILENT]) {
      expect(new Set(invitesTo(number).map(({ from }) => from))).toEqual(new Set([first.sipPort]));
    }
    expect(new Set(invitesTo(PREPARED).map(({ from }) => from))).toEqual(new Set([second.sipPort]));
    let cost = 0;
    for (const [id, number] of Object.entries({
      [talking]: TALKING,
      [ringing]: RINGING,
      [silent]: SILENT,
      [prepared]: PREPARED,
    })) {
      const call = await details(api, id);
      expect(call.attempts).toHaveLength(1);
      expect(new Set(invitesTo(number).map(({ callId }) => callId)).size).toBe(1);
      cost += call.call_cost;
    }
    const { body } = await api.request('GET', '/api/v0/workspace');
    expect(body.workspace_info).toMatchObject({ locked_credits: 0, credits: 1000 - cost });
  });
});
