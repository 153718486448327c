import { afterAll, describe, expect, it } from 'vitest';
import { place, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { startService, type Service } from '../helpers/service/service.ts';

const linesOf = (call: any, side: 'bot' | 'user'): string[] =>
  transcriptOf(call).flatMap((line) => line[side] ?? []);
const COMPLETED = { call_status: 'completed', call_sub_status: 'AGENT_ENDED', hangup_by: 'agent' };

describe('the demo agent of a first start', () => {
  let service: Service;
  afterAll(() => service?.dispose());

  it('completes its script with the cooperative callee', async () => {
    const started = await startService();
    const agent = /Demo agent +(\S+)\s/;
    await expect.poll(() => started.output()).toMatch(agent);
    const key = await started.ownKey();
    service = {
      ...started,
      key,
      async request(method, path, body) {
        const answer = await fetch(`${started.url}${path}`, {
          method,
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return { status: answer.status, body: await answer.json() };
      },
    };
    const callId = await place(service, agent.exec(started.output())?.[1] ?? '', '+14155550123');
    const call = await whenOver(service, callId, 100_000);
    expect(call).toMatchObject(COMPLETED);
    expect(linesOf(call, 'bot').join(' ')).toMatch(/good moment.*Can you make it\?.*reminder.*goodbye/is);
    expect(linesOf(call, 'user').filter((line) => /yes/i.test(line)).length).toBeGreaterThanOrEqual(3);
  }, 240_000);
});
