import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPhoneService } from '../helpers/sip/phone-service.ts';
import { createAgent } from '../helpers/service/scenario.ts';
import { eventually, type Service } from '../helpers/service/service.ts';
import { campaignOf, startCampaign } from '../helpers/campaigns/service-campaign.ts';

// A carrier that receives every INVITE and never responds, with the shortest ring timeout.
let carrier: Socket;
let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
const dialled = new Set<string>();
beforeAll(async () => {
  carrier = createSocket('udp4');
  carrier.on('message', (bytes) => {
    const to = /^INVITE sip:([^@;\s]+)/.exec(bytes.toString())?.[1];
    if (to !== undefined) dialled.add(to);
  });
  carrier.bind(0, '127.0.0.1');
  await once(carrier, 'listening');
  ({ service, close } = await startPhoneService(
    [{ name: 'silent', uri: `sip:127.0.0.1:${carrier.address().port};transport=udp` }],
    [{ number: '+14155550100', trunk: 'silent' }],
    { RING_TIMEOUT_SECONDS: '5' },
  ));
});
afterAll(async () => {
  await close();
  carrier.close();
});

describe('a trunk that never responds', () => {
  it('fails its calls, and the circuit breaker pauses the campaign', async () => {
    const numbers = Array.from({ length: 20 }, (_, n) => `+1212555${String(n).padStart(4, '0')}`);
    const id = await startCampaign(service, await createAgent(service), numbers, {
      circuit_breaker: { minimum_calls: 2, window_calls: 2 },
    });
    const paused = await eventually(
      'the breaker to open',
      async () => {
        const now = await campaignOf(service, id);
        return now.campaign_status === 'paused' ? now : null;
      },
      60_000,
    );
    expect(paused.message).toContain('failed at the carrier');
    const { body } = await service.request('GET', '/api/v0/calling/history?limit=100');
    const over = body.calls.filter((call: any) => call.call_status === 'failed');
    expect(over.length).toBeGreaterThanOrEqual(2);
    expect(over.every((call: any) => call.call_sub_status === 'FAILED')).toBe(true);
    // The campaign ramps up slowly: the breaker opened before the whole list was dialled.
    expect(dialled.size).toBeLessThan(numbers.length);
  });
});
