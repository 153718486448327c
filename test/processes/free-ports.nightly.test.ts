import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachNumber, startPhoneService } from '../helpers/sip/phone-service.ts';
import { createAgent, details, place, whenOver } from '../helpers/service/scenario.ts';
import { eventually, type Service } from '../helpers/service/service.ts';
import { callService, startSipPeer, type SipPeer } from '../helpers/sip/sip-peer.ts';

// Two call workers with three port pairs each, and more calls than pairs.
const PAIRS = 6;
const CALLS = 9;
const once = { call_config: { call_retry_config: { retry_count: 0 } } };
const INBOUND = '+14155550101';
let peer: SipPeer;
let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let agentId = '';
beforeAll(async () => {
  peer = await startSipPeer();
  ({ service, close } = await startPhoneService(
    [{ name: 'peer', uri: `sip:127.0.0.1:${peer.port}` }],
    [
      { number: '+14155550100', trunk: 'test' },
      { number: INBOUND, trunk: 'peer' },
    ],
    { RTP_PORTS: `24100-${24_100 + 2 * PAIRS - 1}`, CALL_WORKERS: '2' },
  ));
  peer.target(service.sipPort);
  agentId = await createAgent(service);
  await attachNumber(service, agentId, INBOUND);
});
afterAll(async () => {
  await close();
  await peer?.stop();
});

async function gauge(name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^callwright_${name} (\\S+)$`, 'm').exec(text)?.[1]);
}
const givenBack = (): number => service.output().split('no media for a call').length - 1;

describe('more calls than port pairs', () => {
  it('all calls are dialled as pairs become free, and none is claimed and released in between', async () => {
    expect(await gauge('free_calls')).toBe(PAIRS);
    const ids = await Promise.all(
      Array.from({ length: CALLS }, (_, n) => place(service, agentId, `+1212${555 + n}0002`, once)),
    );
    // Every callee is busy at once: soon no call is live and every pair is quarantined.
    await eventually('every pair to be quarantined', async () =>
      (await gauge('free_calls')) === 0 && (await gauge('live_calls')) === 0 ? true : null,
    );
    const waiting = await Promise.all(ids.map((id) => details(service, id)));
    expect(waiting.filter((call) => call.call_status === 'registered').length).toBeGreaterThanOrEqual(
      CALLS - PAIRS,
    );
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    // An inbound call is refused for lack of a pair.
    await expect(callService(peer, '+14155550188', INBOUND)).rejects.toThrow('503 Service Unavailable');

    for (const id of ids) {
      expect(await whenOver(service, id)).toMatchObject({ call_sub_status: 'BUSY' });
    }
    expect(givenBack()).toBe(0);
  });
});
