import { createTestDatabase } from '../database/database.ts';
import type { ApiClient } from '../service/scenario.ts';
import { eventually, startService, TEST_KEY, type Service } from '../service/service.ts';

export interface Line {
  readonly number: string;
  readonly trunk: string;
}

/** Starts the service with the given trunks and numbers on a fresh database; `close` ends both. */
export async function startPhoneService(
  trunks: readonly Record<string, unknown>[],
  lines: readonly Line[],
  env: Record<string, string> = {},
  callLimit = 20,
): Promise<{ service: Service; close: () => Promise<void> }> {
  const database = await createTestDatabase();
  try {
    const service = await startService({
      env: { DATABASE_URL: database.url, ...env },
      provision: {
        trunks,
        workspaces: [
          { name: 'Test', api_key: TEST_KEY, credits: 10_000, call_limit: callLimit, numbers: lines },
        ],
      },
    });
    return {
      service,
      close: async () => {
        await service.dispose();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Attaches the number to the agent. */
export async function attachNumber(service: ApiClient, agentId: string, number: string): Promise<void> {
  const { body } = await service.request('GET', '/api/v0/workspace/numbers');
  const known: readonly { id: string; number: string }[] = body.workspace_numbers;
  const { status } = await service.request('PATCH', '/api/v0/agent/v1', {
    operation: 'attach_inbound_number',
    agent_id: agentId,
    number_id: known.find((entry) => entry.number === number)?.id,
  });
  if (status !== 200) throw new Error(`not attached: ${status}`);
}

/** Ids of the workspace's inbound calls, newest first. */
export async function inboundCalls(service: Service): Promise<string[]> {
  const { body } = await service.request('GET', '/api/v0/calling/history?call_type=inbound&limit=100');
  return body.calls.map((call: { id: string }) => call.id);
}

/** Waits for a new inbound call and returns its id. */
export const newInbound = (service: Service, before: readonly string[]): Promise<string> =>
  eventually(
    'the call to be on record',
    async () => (await inboundCalls(service)).find((id) => !before.includes(id)) ?? null,
  );

/** One edit operation on an agent. */
export async function edit(
  service: ApiClient,
  agentId: string,
  operation: string,
  fields: object,
): Promise<void> {
  const { status, body } = await service.request('PATCH', '/api/v0/agent/v1', {
    operation,
    agent_id: agentId,
    ...fields,
  });
  if (status !== 200) throw new Error(`${operation}: ${JSON.stringify(body)}`);
}

/** Ends a call through the API. */
export async function hangUp(service: ApiClient, callId: string): Promise<void> {
  const { status } = await service.request('POST', `/api/v0/calling/${callId}/hangup`, {});
  if (status !== 200) throw new Error(`not hung up: ${status}`);
}

/** Downloads the recording of a call. */
export async function recordingOf(call: { recording_url: string }): Promise<Buffer> {
  const answer = await fetch(call.recording_url);
  if (!answer.ok) throw new Error(`no recording: ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}
