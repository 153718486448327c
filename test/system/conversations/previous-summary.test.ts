import type { VersionConfig } from '../../../src/store/json/agent-version.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { previousSummary } from '../../../src/domain/calls/previous-summary.ts';
import { addDoNotCall } from '../../../src/store/numbers/do-not-call.ts';
import { createTenant, createTestAgent } from '../../helpers/api/api.ts';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';

let reader: Reader;
beforeAll(async () => {
  reader = await createReader();
});
afterAll(() => reader.api.close());

const NAMES_IT = { agentConfig: { agentPrompt: 'Last time: {{previous_call_summary}}' } } as VersionConfig;
const US = '+14155550100';
let hour = 0;
let people = 0;
const person = (): string => `+1415555${String((people += 1) + 2000)}`;

interface Options {
  readonly summary?: string | null;
  readonly inbound?: boolean;
  readonly status?: 'completed' | 'failed' | 'ongoing';
  readonly more?: Record<string, unknown>;
}

/** A call an hour after the one before. */
async function call(number: string, { summary, inbound = false, status = 'completed', more }: Options = {}) {
  hour += 1;
  const at = new Date(reader.api.clock.now() + hour * 3_600_000);
  const id = await reader.insertCall({
    status,
    created_at: at,
    call_type: inbound ? 'inbound' : 'outbound',
    ...(inbound ? { from_number: number, to_number: US } : { from_number: US, to_number: number }),
    ...more,
  });
  const workspaceId = (more?.['workspace_id'] as string | undefined) ?? reader.tenant.workspaceId;
  if (summary !== undefined) {
    await reader.api.db
      .insertInto('call_records')
      .values({
        workspace_id: workspaceId,
        call_id: id,
        transcript: '[]',
        platform_analysis: JSON.stringify({ summary }),
        updated_at: at,
      })
      .execute();
  }
  return id;
}
const remembered = (id: string, config = NAMES_IT) =>
  previousSummary(reader.api.db, reader.tenant.workspaceId, id, config);

describe('previous_call_summary', () => {
  it('is the summary of the last analysed call with the number, which either side began', async () => {
    const number = person();
    await call(number, { summary: 'They asked for Tuesday.' });
    await call(number, { summary: 'They moved it to Friday.', inbound: true });
    await call(number, { summary: null });
    await call(number);
    const value = { previous_call_summary: 'They moved it to Friday.' };
    expect(await remembered(await call(number, { status: 'ongoing' }))).toEqual(value);
  });

  it('is withheld from an inbound call, whose caller may have forged the number of somebody else', async () => {
    const victim = person();
    await call(victim, { summary: 'They gave their address.' });
    expect(await remembered(await call(victim, { status: 'ongoing', inbound: true }))).toEqual({});
  });

  it('is absent without such a call, and for an agent that does not name it', async () => {
    const number = person();
    const first = await call(number, { summary: 'Its own.' });
    expect(await remembered(first)).toEqual({});
    const next = await call(number, { status: 'ongoing' });
    expect(await remembered(next, { agentConfig: { agentPrompt: 'Hello.' } } as VersionConfig)).toEqual({});
    expect(await remembered(await call(person(), { status: 'ongoing' }))).toEqual({});
  });

  it('comes from no other agent, no other workspace and no browser call', async () => {
    const number = person();
    const other = await createTestAgent(reader.api, reader.tenant);
    await call(number, {
      summary: 'Of another agent.',
      more: { agent_id: other.agentId, version_id: other.versionId },
    });
    const stranger = await createTenant(reader.api);
    await call(number, { summary: 'Of a stranger.', more: { workspace_id: stranger.workspaceId } });
    expect(await remembered(await call(number, { status: 'ongoing' }))).toEqual({});
    await call('', { summary: 'In a browser.', more: { call_type: 'webcall', from_number: '' } });
    const browser = await call('', { status: 'ongoing', more: { call_type: 'webcall', from_number: '' } });
    expect(await remembered(browser)).toEqual({});
  });

  it('is withheld for a number on the do-not-call list', async () => {
    const number = person();
    await call(number, { summary: 'They opted out.' });
    const next = await call(number, { status: 'ongoing' });
    const { workspaceId } = reader.tenant;
    const at = new Date(reader.api.clock.now());
    await reader.api.db.transaction().execute((tx) => addDoNotCall(tx, workspaceId, number, 'test', at));
    expect(await remembered(next)).toEqual({});
  });

  it('is gone after an erasure', async () => {
    const number = person();
    const old = await call(number, { summary: 'They told a secret.' });
    const next = await call(number, { status: 'ongoing' });
    await reader.api.request('DELETE', `/api/v0/calling/${old}/data`, { key: reader.tenant.key });
    expect(await remembered(next)).toEqual({});
  });
});
