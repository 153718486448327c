import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { newId } from '../../../src/shared/ids.ts';

/** Repeatedly queues a single call of a new workspace; returns the ms until each was claimed. */
export async function serveLoneCalls(url: string, seconds: number): Promise<number[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const served: number[] = [];
  const until = performance.now() + (seconds - 1) * 1000;
  while (performance.now() < until) {
    const [workspace, agent, version, number, call] = [newId(), newId(), newId(), newId(), newId()];
    await client.query(
      `with w as (insert into workspaces (id, name, unlimited, created_at, updated_at)
         values ($1::uuid, $1::uuid::text, true, now(), now())),
       a as (insert into agents (workspace_id, id, display_name, agent_type, active_version_id, webcall_public_key,
         created_at, updated_at) values ($1::uuid, $2::uuid, 'Asha', 'outbound', $3::uuid, $2::uuid::text, now(), now())),
       n as (insert into numbers (workspace_id, id, number, trunk_id, created_at, updated_at)
         select $1::uuid, $4::uuid, '+1310' || right($4::uuid::text, 8), id, now(), now() from trunks order by name desc limit 1)
       select`,
      [workspace, agent, version, number],
    );
    await client.query(
      `insert into agent_versions (workspace_id, agent_id, id, slug, config, created_at, updated_at)
       values ($1, $2, $3, 'v1', '{"call_config":{"call_time":{"call_start_time":"00:00","call_end_time":"00:00"}}}',
         now(), now())`,
      [workspace, agent, version],
    );
    await client.query(
      `insert into calls (workspace_id, id, agent_id, version_id, number_id, call_type, from_number, to_number, status,
         sub_status, next_attempt_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, 'outbound', '+13105550100', '+13105550123', 'registered', 'QUEUED', now(), now(),
         now())`,
      [workspace, call, agent, version, number],
    );
    const from = performance.now();
    await client.query('update workspaces set next_due_at = now() where id = $1', [workspace]);
    for (let isWaiting = true; isWaiting && performance.now() - from < 5_000;) {
      const { rows } = await client.query(
        `select from calls where workspace_id = $1 and id = $2 and status <> 'registered'`,
        [workspace, call],
      );
      isWaiting = rows.length === 0;
      if (isWaiting) await sleep(5);
    }
    served.push(performance.now() - from);
    await sleep(200);
  }
  await client.end();
  return served;
}
