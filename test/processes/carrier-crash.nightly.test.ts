import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeCarrierApi, fakeCarrierAccount, fakeTrunkSettings } from '@callwright/stand-ins';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';
import { createAgent, place, provisionWith, whenCall, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';

const ACCOUNT = fakeCarrierAccount('twilio');

let dataDir = '';
let api: FakeCarrierApi;
let uri = '';
const services: Service[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callwright-carrier-'));
  api = new FakeCarrierApi(ACCOUNT);
  uri = await api.listen();
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.dispose()));
  await api.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<Service> {
  const service = await startService({
    dataDir,
    provision: provisionWith({
      credits: 100,
      trunks: [{ name: 'twilio', kind: 'twilio', uri, ...fakeTrunkSettings(ACCOUNT) }],
      trunk: 'twilio',
    }),
    env: { SAFE_FETCH_ALLOW: LOOPBACK_OPEN },
  });
  services.push(service);
  return service;
}

describe('SIGKILL between a place request and the answer of the callee', () => {
  it('leaves a call that is dialled once and settled once', async () => {
    api.settings.callee = 'rings';
    const first = await start();
    const agentId = await createAgent(first);
    const callId = await place(first, agentId, '+14155550123', {
      call_config: { call_retry_config: { retry_count: 3, retry_failed: 0 } },
    });
    await eventually('the place request', async () => (api.calls.length === 1 ? true : null));
    await whenCall(first, callId, 'ringing', (call) => call.call_sub_status === 'RINGING');
    await first.end('SIGKILL');

    const second = await start();
    const call = await whenOver(second, callId);
    expect(call).toMatchObject({ call_status: 'error', call_sub_status: 'UNKNOWN_AFTER_CRASH' });
    expect(call.attempts).toHaveLength(1);
    const { body } = await second.request('GET', '/api/v0/workspace');
    expect(body.workspace_info).toMatchObject({ locked_credits: 0, credits: 100 - call.call_cost });
    // A call that is placed now is dialled, and the first one is not dialled again.
    api.settings.callee = 'answers';
    const later = await place(second, agentId, '+14155550124');
    await whenCall(second, later, 'answered', (one) => one.answered_at !== null);
    expect(api.calls.map(({ to }) => to)).toEqual(['+14155550123', '+14155550124']);
  });
});
