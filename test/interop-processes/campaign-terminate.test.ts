import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSipCallees, type Callees } from '../chaos/callees.ts';
import { startPhoneService } from '../helpers/sip/phone-service.ts';
import { createAgent } from '../helpers/service/scenario.ts';
import { eventually, type Service } from '../helpers/service/service.ts';

let callees: Callees;
let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let agentId = '';
let numberId = '';
beforeAll(async () => {
  callees = await startSipCallees();
  ({ service, close } = await startPhoneService(
    [{ name: 'carrier', ...callees.trunk }],
    [{ number: '+14155550100', trunk: 'carrier' }],
  ));
  agentId = await createAgent(service, { intro_message: 'Hello.' });
  const { body } = await service.request('GET', '/api/v0/workspace/numbers');
  numberId = body.workspace_numbers[0].id;
});
afterAll(async () => {
  await close();
  await callees?.stop();
});

const CONTACTS = 300;
/** SIPp writes its log line up to this long after the packet arrived. */
const LOG_LATE_MS = 250;

/** Uploads a list of busy callees with a new area code per round; busy calls free their slots quickly. */
async function upload(round: number): Promise<string> {
  const rows = Array.from(
    { length: CONTACTS },
    (_, n) => `+1${212 + round * 98}555${String(n).padStart(3, '0')}6,Callee\r\n`,
  );
  const form = new FormData();
  form.set('agent_id', agentId);
  form.set('file', new Blob([`Mobile Number,callee_name\r\n${rows.join('')}`]), 'contacts.csv');
  form.set('call_config', JSON.stringify({ call_retry_config: { retry_count: 2, retry_busy: 0 } }));
  const answer = await fetch(`${service.url}/api/v0/campaign/save`, {
    method: 'POST',
    headers: { 'x-api-key': service.key },
    body: form,
  });
  const list: { list_id: string } = JSON.parse(await answer.text());
  return list.list_id;
}

/** As a client starts it: asks again while a busy machine has no connection of the database left for the workspace (503). */
async function start(id: string) {
  for (;;) {
    const answer = await service.request('POST', '/api/v0/campaign/start', {
      agent_id: agentId,
      list_id: id,
      from_numbers: [numberId],
    });
    if (answer.status !== 503) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

describe('terminating a campaign, checked with the timestamps of SIPp', () => {
  // Area codes 212, 310, 408, 604 and 702.
  it.each([0, 1, 2, 4, 5])(
    'starts once of twenty times, and sends no INVITE after its end (round %i)',
    async (round) => {
      const id = await upload(round);
      const starts = await Promise.all(Array.from({ length: 20 }, () => start(id)));
      const refused = starts.filter(({ status }) => status !== 200);
      expect(
        refused.filter(({ status }) => status !== 400).map(({ status, body }) => ({ status, body })),
      ).toEqual([]);
      expect(refused).toHaveLength(19);
      const area = `+1${212 + round * 98}`;
      const received = () => callees.rings().filter(({ to }) => to.startsWith(area));
      await eventually('some to be dialled', () =>
        Promise.resolve(received().length > 4 * (round + 1) ? true : null),
      );
      const answer = await service.request('PATCH', '/api/v0/campaign/terminate', { campaign_id: id });
      const answeredAt = Date.now();
      expect(answer.status).toBe(200);
      expect(answer.body.terminated_count).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const invites = received();
      expect(invites.filter(({ at }) => at > answeredAt + LOG_LATE_MS)).toEqual([]);
      // One dialog per attempt, whatever its state at the termination.
      expect(new Set(invites.map(({ callId }) => callId)).size).toBe(invites.length);
      const { body } = await service.request('GET', `/api/v0/campaign/${id}`);
      expect(body.campaign).toMatchObject({ campaign_status: 'terminated', total_count: CONTACTS });
    },
  );
});
