import { afterEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../helpers/api/api.ts';
import { freeTcpPort } from '../../helpers/service/service.ts';

let api: TestApi | null = null;
afterEach(() => api?.close());

it('serves the metrics on their own address only, and stops with the API', async () => {
  const port = await freeTcpPort();
  api = await createTestApi({ metricsAt: { host: '127.0.0.1', port } });
  const url = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${url}/metrics?x=1`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4']);
  expect(await answer.text()).toContain('callwright_up 1');
  expect((await api.request('GET', '/metrics')).status).toBe(404);
  for (const path of ['/', '/healthz', '/api/v0/workspace', '/metrics/']) {
    expect((await fetch(`${url}${path}`)).status).toBe(404);
  }
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
  // A second process on the same address is refused by the name of the setting.
  await expect(createTestApi({ metricsAt: { host: '127.0.0.1', port } })).rejects.toThrow(
    `METRICS_PORT ${port} on 127.0.0.1 cannot be used: EADDRINUSE`,
  );
  await api.close();
  api = null;
  await expect(fetch(`${url}/metrics`)).rejects.toThrow('fetch failed');
});

it('serves the metrics beside the API without METRICS_PORT', async () => {
  api = await createTestApi();
  expect((await api.request('GET', '/metrics')).status).toBe(200);
});
