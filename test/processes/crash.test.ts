import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createAgent,
  details,
  place,
  provisionWith,
  subscribe,
  transcriptOf,
  whenCall,
  whenOver,
} from '../helpers/service/scenario.ts';
import { watchLive } from '../helpers/calls/live-call.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

let dataDir = '';
let receiver: WebhookReceiver;
const services: Service[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callwright-crash-'));
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.dispose()));
  await receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<Service> {
  const service = await startService({
    dataDir,
    provision: provisionWith({ credits: 100 }),
    env: { SAFE_FETCH_ALLOW: LOOPBACK_OPEN },
  });
  services.push(service);
  return service;
}

describe('SIGKILL during a call', () => {
  it('ends the call as UNKNOWN_AFTER_CRASH, settles its credits, delivers its events and does not dial again', async () => {
    const first = await start();
    const agentId = await createAgent(first);
    await subscribe(first, agentId, receiver.url);
    const callId = await place(first, agentId, '+14155550123', {
      call_config: { call_retry_config: { retry_count: 3, retry_failed: 0 } },
    });
    await whenCall(first, callId, 'answered', (call) => call.answered_at !== null);
    const live = await watchLive(first, callId);
    await live.hasSaid(/\S/);
    await first.end('SIGKILL');

    const second = await start();
    const call = await whenOver(second, callId);
    expect(call).toMatchObject({ call_status: 'error', call_sub_status: 'UNKNOWN_AFTER_CRASH' });
    expect(call.attempts).toHaveLength(1);
    const { body } = await second.request('GET', '/api/v0/workspace');
    expect(body.workspace_info.locked_credits).toBe(0);
    expect(body.workspace_info.credits).toBe(100 - call.call_cost);
    await eventually('the last events', async () => {
      const types = receiver.events(callId).map((e) => e.body.event_type);
      return types.includes('call_completed') && types.includes('all_processing_completed') ? types : null;
    });
    // A call that is placed now is dialled, and the callee of the first one is not dialled again.
    const later = await place(second, agentId, '+14155550124');
    await whenCall(second, later, 'answered', (one) => one.answered_at !== null);
    expect((await details(second, callId)).attempts).toHaveLength(1);
    const completed = receiver.events(callId).filter((e) => e.body.event_type === 'call_completed');
    expect(new Set(completed.map((e) => e.headers['webhook-id'])).size).toBe(1);
    expect(receiver.problems()).toEqual([]);
  });
});

describe('SIGTERM with a live call', () => {
  it('accepts no new call, lets the live call finish and exits with 0', async () => {
    const service = await start();
    const agentId = await createAgent(service);
    const live = await place(service, agentId, '+14155550123');
    await whenCall(service, live, 'answered', (call) => call.answered_at !== null);
    const exit = service.end('SIGTERM');
    await eventually('draining', async () =>
      (await fetch(`${service.url}/readyz`).then(
        (r) => r.status,
        () => 503,
      )) === 503
        ? true
        : null,
    );
    const late = await place(service, agentId, '+14155550124').catch(() => null);
    expect(await exit).toBe(0);

    const second = await start();
    expect(await details(second, live)).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'AGENT_ENDED',
    });
    // The next process places a call that was queued while draining.
    if (late !== null) await whenCall(second, late, 'dialled', (call) => call.attempts.length === 1);
  });

  it('hangs up on the second signal and exits with 130', async () => {
    const service = await start();
    const agentId = await createAgent(service);
    const live = await place(service, agentId, '+14155550123');
    await whenCall(service, live, 'answered', (call) => call.answered_at !== null);
    await (await watchLive(service, live)).hasSaid(/\S/);
    const exit = service.end('SIGTERM');
    await expect.poll(() => service.output()).toContain('draining');
    service.child.kill('SIGTERM');
    expect(await exit).toBe(130);
    const next = await start();
    const over = await details(next, live);
    expect(over).toMatchObject({
      call_status: 'error',
      call_sub_status: 'SERVICE_STOPPED',
      hangup_by: 'system',
    });
    expect(over.attempts).toHaveLength(1);
    expect(transcriptOf(over).length).toBeGreaterThan(0);
  });
});
