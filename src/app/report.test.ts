import { expect, it } from 'vitest';
import { startReport, type Started } from './report.ts';

it('the printed call names the demo agent, so that an agent created later is not used in its place', () => {
  const first = { apiKey: 'cw_live_x', agentId: 'the-demo-agent', numberId: 'a-number' };
  const started = {
    url: 'http://127.0.0.1:8080',
    hasApi: true,
    listening: null,
    engines: null,
    warnings: [],
    provisioned: { lines: [], first },
    allowsEveryCountry: false,
    firstRunToken: null,
  } as unknown as Started;
  const command = startReport(started).find((line) => line.includes('callwright call'));
  expect(command).toContain('call +14155550123 --agent the-demo-agent');
});
