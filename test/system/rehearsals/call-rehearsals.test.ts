import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { createTenant } from '../../helpers/api/api.ts';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';
import { packedFixture } from '../../helpers/sip/replays.ts';

let reader: Reader;
beforeAll(async () => {
  reader = await createReader();
});
afterAll(() => reader.api.close());

async function endedCall(hasLog = true): Promise<string> {
  const at = new Date(reader.api.clock.now());
  const id = await reader.insertCall({ ended_at: at });
  await reader.api.db
    .insertInto('call_records')
    .values({
      workspace_id: reader.tenant.workspaceId,
      call_id: id,
      transcript: '[]',
      event_log: hasLog ? packedFixture('booking') : null,
      updated_at: at,
    })
    .execute();
  return id;
}
const start = (body: object, key = reader.tenant.key, agentId = reader.agentId) =>
  reader.api.request('POST', `/api/v0/agent/${agentId}/rehearsals`, { key, body });
const scenariosFrom = (callId: string) =>
  reader.api.db.selectFrom('rehearsals').select('scenarios').where('source_id', '=', callId).execute();

describe('a rehearsal of a finished call', () => {
  it('has one scenario, whose caller says again what the person said', async () => {
    const callId = await endedCall();
    const { status, body } = await start({ call_id: callId, calls: 5 });
    expect(status).toBe(200);
    expect(body['rehearsal']).toMatchObject({ source_call_id: callId, calls: 5, state: 'queued' });
    const [row] = await scenariosFrom(callId);
    expect(row?.scenarios).toMatchObject([
      {
        name: `Call ${callId}`,
        variables: { callee_name: 'Priya' },
        persona: { answers: [{ asked: ['Can you make it on Tuesday?'], says: 'yes' }] },
      },
    ]);
  });

  it('is deleted with the erasure of the call', async () => {
    const callId = await endedCall();
    expect((await start({ call_id: callId })).status).toBe(200);
    const path = `/api/v0/calling/${callId}/data`;
    expect((await reader.api.request('DELETE', path, { key: reader.tenant.key })).status).toBe(200);
    expect(await scenariosFrom(callId)).toEqual([]);
    expect((await start({ call_id: callId })).body['code']).toBe('EVENT_LOG_NOT_FOUND');
  });

  it('is refused for an unknown call, one without a log, one of another workspace, and beside scenarios', async () => {
    expect((await start({ call_id: newId() })).body['code']).toBe('CALL_NOT_FOUND');
    expect((await start({ call_id: await endedCall(false) })).body['code']).toBe('EVENT_LOG_NOT_FOUND');
    const callId = await endedCall();
    const other = await createTenant(reader.api);
    expect((await start({ call_id: callId }, other.key)).status).toBe(404);
    const beside = await start({ call_id: callId, scenario_file: 'name: A\npersona: { goal: B }' });
    expect([beside.status, JSON.stringify(beside.body)]).toEqual([
      422,
      expect.stringContaining('call_id') as string,
    ]);
  });
});
