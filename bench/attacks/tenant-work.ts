import { FormData } from 'undici';
import { otherUpload, repeated, request, sleep, type Attack, type Report, type Target } from './attack.ts';
import { startHangingSite } from './servers.ts';

const pages = (urls: readonly string[]): FormData => {
  const form = new FormData();
  form.append('kb_name', 'Pages');
  form.append('urls', JSON.stringify(urls));
  return form;
};

/** Time until another workspace's page is read, while ours hang. */
async function otherReads(target: Target, report: Report, url: string, stop: AbortSignal): Promise<void> {
  const from = performance.now();
  const { status, body } = await otherUpload(target, pages([url]), stop);
  if (status !== 200) {
    report.leak(`another workspace could not add a page: ${status}`);
    return;
  }
  const path = `/api/v0/external/kb/${body.kb_id}`;
  for (;;) {
    const read = await request(target, target.otherKey, 'GET', path, { stop });
    if (read.body?.processing_status === 'completed') break;
    if (performance.now() - from > 15_000) {
      report.leak('another workspace waited over 15 s for its page');
      break;
    }
    await sleep(100, stop);
  }
  report.answer(`other page in ${Math.ceil((performance.now() - from) / 1000)} s or less`);
  await request(target, target.otherKey, 'DELETE', path);
}

const slowServers: Attack = {
  id: '2.4',
  name: '60 knowledge pages on a server that never answers',
  async run(target, report, stop) {
    const site = await startHangingSite();
    const made: string[] = [];
    let n = 0;
    for (let kb = 0; kb < 6 && !stop.aborted; kb += 1) {
      const urls = Array.from({ length: 10 }, () => `${site.url}/hangs/${(n += 1)}`);
      const { status, body } = await request(target, target.key, 'POST', '/api/v0/external/kb', {
        form: pages(urls),
        stop,
      });
      report.answer(status);
      report.sent += urls.length;
      if (status === 200) made.push(String(body.kb_id));
    }
    await repeated(1_000, stop, () => otherReads(target, report, `${site.url}/page${(n += 1)}`, stop));
    for (const id of made) await request(target, target.key, 'DELETE', `/api/v0/external/kb/${id}`);
    site.close();
  },
};

const streams: Attack = {
  id: '2.7',
  name: '300 live streams of one call, reopened',
  async run(target, report, stop) {
    const placed = await request(target, target.key, 'POST', '/api/v0/calling/outbound/individual', {
      body: {
        name: 'Sam',
        mobile_number: '+14155550006',
        agent_id: target.agentId,
        from_number: target.testNumber,
        call_config: { call_retry_config: { retry_count: 0 } },
      },
    });
    const callId = String(placed.body?.data?.call_id);
    let now = 0;
    let most = 0;
    const open = async (): Promise<void> => {
      while (!stop.aborted) {
        report.sent += 1;
        let isOpen = false;
        try {
          const response = await fetch(`${target.url}/api/v0/calling/${callId}/live`, {
            headers: { 'x-api-key': target.key },
            signal: stop,
          });
          report.answer(response.status);
          isOpen = response.status === 200;
          if (isOpen) most = Math.max(most, (now += 1));
          await response.text();
        } catch {
          // The service or `stop` closed it.
        }
        if (isOpen) now -= 1;
        await sleep(1_000, stop);
      }
    };
    await Promise.all(Array.from({ length: 300 }, open));
    report.answers.set('open at once', most);
    if (most > 50) report.leak(`${most} streams at once`);
    await request(target, target.key, 'POST', `/api/v0/calling/${callId}/hangup`, { body: {} });
  },
};

const sameKey: Attack = {
  id: '2.8',
  name: 'the same call placed by 20 requests with one Idempotency-Key',
  async run(target, report, stop) {
    let n = 0;
    await repeated(1_000, stop, async () => {
      const headers = { 'idempotency-key': `attack-${process.pid}-${(n += 1)}` };
      const body = {
        name: 'Sam',
        mobile_number: '+14155550002',
        agent_id: target.agentId,
        from_number: target.testNumber,
        call_config: { call_retry_config: { retry_count: 0 } },
      };
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          request(target, target.key, 'POST', '/api/v0/calling/outbound/individual', { body, headers, stop }),
        ),
      );
      report.sent += answers.length;
      for (const { status } of answers) report.answer(status);
      const ids = new Set(answers.flatMap(({ body: got }) => got?.data?.call_id ?? []));
      if (ids.size > 1) report.leak(`${ids.size} calls for one key`);
    });
  },
};

export const tenantWork: readonly Attack[] = [slowServers, streams, sameKey];
