import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { runTrace } from '../../../src/cli/trace.ts';
import { newId } from '../../../src/shared/ids.ts';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';

let reader: Reader;
let url: string;
beforeAll(async () => {
  reader = await createReader();
  await reader.api.server.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(reader.api.server.server.address() as AddressInfo).port}`;
});
afterAll(() => reader.api.close());
afterEach(() => void vi.restoreAllMocks());

/** Runs the command; returns its exit code and output. */
async function trace(call: string, key: string | undefined = reader.tenant.key) {
  const lines: string[] = [];
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((line: string) => void lines.push(line));
  return { code: await runTrace(call, { url, key }), text: lines.join('\n') };
}

describe('callwright trace', () => {
  it('prints the stored SIP messages of an attempt', async () => {
    const at = new Date(reader.api.clock.now());
    const id = await reader.insertCall({ ended_at: at });
    await reader.api.db
      .insertInto('call_attempts')
      .values({
        workspace_id: reader.tenant.workspaceId,
        call_id: id,
        attempt: 1,
        node_id: newId(),
        status: 'ended',
        claimed_at: at,
        sip_call_id: 'a84b4c76',
        sip_messages: `${at.getTime()}\n0>INVITE\t\n1500<486 INVITE\tBusy Here`,
      })
      .execute();
    const { code, text } = await trace(id);
    expect(text).toContain('Attempt 1, Call-ID a84b4c76');
    expect(text).toMatch(/ 1\.500 {2}<- 486 INVITE -+ {2}Busy Here$/);
    expect(code).toBe(0);
  });

  it('ends with 1 for a call without messages, and for an unknown one', async () => {
    const live = await trace(await reader.insertCall());
    expect(live).toMatchObject({ code: 1, text: expect.stringMatching(/^No SIP messages/) as string });
    expect(await trace(newId())).toMatchObject({ code: 1, text: expect.stringMatching(/^404: /) as string });
  });

  it('ends with 2 without a key', async () => {
    expect(await trace(newId(), '')).toMatchObject({ code: 2 });
  });
});
