import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signingKey } from '../../../src/domain/webhooks/signature.ts';
import { newId } from '../../../src/shared/ids.ts';
import { openAgentDesk, type AgentDesk } from '../../helpers/agents/agent-api.ts';

const PAGE = 'https://www.example.com';
const VICTIM = '+14155550123';

let desk: AgentDesk;
let publicKey: string;
let secret: string;
beforeAll(async () => {
  desk = await openAgentDesk({ unlimited: true });
  await desk.renew();
  await desk.edit({
    operation: 'edit_agent_whitelisted_domains',
    whitelisted_domains: ['http://callwright.test', PAGE],
  });
  await desk.edit({ operation: 'edit_web_sessions', web_sessions: { page_variables: ['callee_name'] } });
  const { body } = await desk.api.request('GET', `/api/v0/agent/${desk.agentId}`, { key: desk.tenant.key });
  publicKey = (body['agents'] as { webcall_public_key: string }).webcall_public_key;
  const read = await desk.api.request('GET', '/api/v0/webhooks/signing-secret', { key: desk.tenant.key });
  secret = /whsec_[A-Za-z0-9+/=]+/.exec(JSON.stringify(read.body))?.[0] ?? '';
});
afterAll(() => desk.api.close());

function signed(change: { agent_id?: string; expires_at?: number; prefix?: string } = {}): string {
  const { prefix = 'callwright.page-values.', ...more } = change;
  const expires_at = Math.floor(desk.api.clock.now() / 1000) + 600;
  const content = {
    agent_id: desk.agentId,
    values: { mobile_number: VICTIM, customer_id: '42' },
    expires_at,
    ...more,
  };
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url');
  const signature = createHmac('sha256', signingKey(secret))
    .update(prefix + payload)
    .digest('base64url');
  return `${payload}.${signature}`;
}
const open = (path: string, body: object) =>
  desk.api.request('POST', `/api/v0${path}`, {
    key: publicKey,
    headers: { origin: PAGE },
    body: { agent_id: desk.agentId, ...body },
  });
async function storedArgs(path: string, body: object): Promise<unknown> {
  const { status, body: opened } = await open(path, body);
  if (status !== 200) return status;
  const [table, id] = path === '/chat/web' ? ['web_chats', 'chat_id'] : ['web_call_tokens', 'call_id'];
  const { rows } = await sql<{ args: unknown }>`select args from ${sql.table(table)}
    where ${sql.ref(id)} = ${String(opened[id])}`.execute(desk.api.db);
  return rows[0]?.args;
}

describe.each(['/calling/webcall', '/chat/web'])('values of a page with the public key, at %s', (path) => {
  it('never name the person whose data a tool looks up', async () => {
    const custom_args_values = { callee_name: 'Eve', mobile_number: VICTIM };
    expect(await storedArgs(path, { custom_args_values })).toEqual({ callee_name: 'Eve' });
    const { body } = await open(path, { custom_args_values: { ...custom_args_values, from_number: VICTIM } });
    expect(body['warnings']).toMatchObject([
      { code: 'VARIABLE_RESERVED', field: 'custom_args_values.mobile_number' },
      { code: 'VARIABLE_RESERVED', field: 'custom_args_values.from_number' },
    ]);
  });

  it('are refused outside the list of the agent', async () => {
    const { status, body } = await open(path, { custom_args_values: { customer_id: '43' } });
    expect([status, body['errors']]).toMatchObject([422, [{ field: 'custom_args_values.customer_id' }]]);
  });

  it('are set by the workspace where its server signed them, over those of the page', async () => {
    const body = {
      custom_args_values: { callee_name: 'Eve', mobile_number: '+14155550199' },
      signed_values: signed(),
    };
    expect(await storedArgs(path, body)).toEqual({
      callee_name: 'Eve',
      mobile_number: VICTIM,
      customer_id: '42',
    });
  });

  it('are refused with a signature that is forged, expired, or of another agent or purpose', async () => {
    const [payload = '', signature = ''] = signed().split('.');
    const other = Buffer.from(JSON.stringify({ agent_id: desk.agentId, values: {}, expires_at: 1 }));
    const now = Math.floor(desk.api.clock.now() / 1000);
    const tokens = {
      forged: `${other.toString('base64url')}.${signature}`,
      cut: payload,
      long: `${payload}.${signature}.${signature}`,
      webhook: signed({ prefix: '' }),
      'of another agent': signed({ agent_id: newId() }),
      expired: signed({ expires_at: now - 1 }),
      'for ever': signed({ expires_at: now + 86_500 }),
    };
    for (const [name, signed_values] of Object.entries(tokens)) {
      const { status, body } = await open(path, { signed_values });
      expect([name, status, body['errors']]).toMatchObject([name, 422, [{ field: 'signed_values' }]]);
    }
  });
});
