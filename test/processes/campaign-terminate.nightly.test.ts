import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPhoneService } from '../helpers/sip/phone-service.ts';
import { startRefusingCarrier, type RefusingCarrier } from '../helpers/sip/refusing-carrier.ts';
import { eventually, type Service } from '../helpers/service/service.ts';
import { createAgent } from '../helpers/service/scenario.ts';

let carrier: RefusingCarrier;
let service: Service;
let close: () => Promise<void>;
let agentId: string;
beforeAll(async () => {
  carrier = await startRefusingCarrier(() => Date.now());
  ({ service, close } = await startPhoneService(
    [{ name: 'carrier', uri: `sip:127.0.0.1:${carrier.port};transport=udp`, max_calls: 200 }],
    [{ number: '+14155550100', trunk: 'carrier' }],
  ));
  agentId = await createAgent(service, {});
});
afterAll(async () => {
  await close?.();
  await carrier?.close();
});

const CONTACTS = 2000;

async function startCampaign(area: string): Promise<string> {
  const rows = Array.from(
    { length: CONTACTS },
    (_, n) => `+1${area}555${String(n).padStart(4, '0')},Callee ${n}\r\n`,
  );
  const form = new FormData();
  form.set('agent_id', agentId);
  form.set('file', new Blob([`Mobile Number,callee_name\r\n${rows.join('')}`]), 'contacts.csv');
  const saved = await fetch(`${service.url}/api/v0/campaign/save`, {
    method: 'POST',
    headers: { 'x-api-key': service.key },
    body: form,
  });
  const list: { list_id: string } = JSON.parse(await saved.text());
  const numbers = await service.request('GET', '/api/v0/workspace/numbers');
  const started = await service.request('POST', '/api/v0/campaign/start', {
    agent_id: agentId,
    list_id: list.list_id,
    from_numbers: [numbers.body.workspace_numbers[0].id],
  });
  expect([started.status, started.body]).toMatchObject([200, { list_id: list.list_id }]);
  return list.list_id;
}

const heardOf = (area: string): number => carrier.heard.filter(({ to }) => to.startsWith(`+1${area}`)).length;
const ringing = (area: string, more: number): Promise<true> =>
  eventually(`${more} calls to ${area}`, async () => (heardOf(area) >= more ? true : null));
const campaign = async (id: string): Promise<any> =>
  (await service.request('GET', `/api/v0/campaign/${id}`)).body.campaign;

/** Counts the INVITEs that arrived before the answer, after reading the datagrams still in the socket's buffer. */
async function heardAtAnswer(area: string): Promise<number> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return heardOf(area);
}
const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1500));

describe('a campaign being dialled', () => {
  it('sends no INVITE after terminate is answered, and every call ends', async () => {
    const id = await startCampaign('212');
    await ringing('212', 40);
    const answer = await service.request('PATCH', '/api/v0/campaign/terminate', { campaign_id: id });
    const heard = await heardAtAnswer('212');
    expect(answer.status).toBe(200);
    const stopped: number = answer.body.terminated_count;
    await quiet();
    expect(heardOf('212')).toBe(heard);
    const over = await eventually('every call to end', async () => {
      const shown = await campaign(id);
      return shown.cancelled_count + shown.failed_count === CONTACTS ? shown : null;
    });
    expect(over).toMatchObject({ campaign_status: 'terminated', total_count: CONTACTS });
    // Live calls were dialled once; this request stopped all others.
    expect(over.cancelled_count).toBeGreaterThanOrEqual(stopped);
    expect(over.failed_count + stopped).toBeLessThanOrEqual(CONTACTS);
    expect(new Set(carrier.heard.map(({ to }) => to)).size).toBe(carrier.heard.length);
  });

  it('sends no INVITE while paused and continues after the resume', async () => {
    const id = await startCampaign('310');
    await ringing('310', 40);
    expect((await service.request('PATCH', '/api/v0/campaign/pause', { campaign_id: id })).status).toBe(200);
    const heard = await heardAtAnswer('310');
    await quiet();
    expect(heardOf('310')).toBe(heard);
    expect(await campaign(id)).toMatchObject({ campaign_status: 'paused', ongoing_count: 0 });
    expect((await service.request('PATCH', '/api/v0/campaign/resume', { campaign_id: id })).status).toBe(200);
    await ringing('310', heard + 20);
    await service.request('PATCH', '/api/v0/campaign/terminate', { campaign_id: id });
    expect(new Set(carrier.heard.map(({ to }) => to)).size).toBe(carrier.heard.length);
  });
});
