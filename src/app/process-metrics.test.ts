import perf from 'node:perf_hooks';
import { Registry } from 'prom-client';
import { afterEach, expect, it, vi } from 'vitest';
import { registerProcessMetrics } from './process-metrics.ts';

afterEach(() => vi.restoreAllMocks());

it('samples the event loop at most once a second, with the metrics of its delay', async () => {
  const monitor = vi.spyOn(perf, 'monitorEventLoopDelay');
  const registry = new Registry();
  registerProcessMetrics(registry);
  const resolutions = monitor.mock.calls.map(([options]) => options?.resolution ?? 0);
  expect(resolutions).toHaveLength(1);
  expect(resolutions[0]).toBeGreaterThanOrEqual(1_000);
  expect(await registry.metrics()).toContain('nodejs_eventloop_lag_p99_seconds');
});
