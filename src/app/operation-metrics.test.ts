import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { ManualClock } from '../shared/clock.ts';
import { registerOperationMetrics } from './operation-metrics.ts';

it('scrapes within five seconds share one read of the backlog', async () => {
  const clock = new ManualClock(1_000_000);
  const registry = new Registry();
  let reads = 0;
  registerOperationMetrics(registry, {
    clock,
    calls: () =>
      Promise.resolve({
        trunks: [],
        outcomes: [],
        capsReached: [['calls_per_minute', 2]],
        bans: { total: 3, current: 1 },
        vendorFaults: [
          { part: 'llm', vendor: 'anthropic', kind: 'limit', status: 429, count: 3, lastAt: 1_000_000 },
        ],
        refusals: [['web_call', 2]],
        fallbackReplies: [['script', 4]],
        pool: null,
      }),
    chatFallbacks: () => [['apology', 2]],
    capsReached: () => [['credits_per_day', 1]],
    pools: () => ({}),
    backlog: async () => {
      reads += 1;
      return { oldestDueCall: new Date(clock.now() - 30_000), dueDeliveries: 3, oldestDelivery: null };
    },
  });
  const texts = await Promise.all(Array.from({ length: 20 }, () => registry.metrics()));
  expect(texts[0]).toContain('callwright_oldest_due_call_seconds 30');
  expect(texts[0]).toContain(
    'callwright_vendor_faults_total{part="llm",vendor="anthropic",reason="limit"} 3',
  );
  expect(texts[0]).toContain('callwright_fallback_replies_total{channel="call",engine="script"} 4');
  expect(texts[0]).toContain('callwright_fallback_replies_total{channel="chat",engine="apology"} 2');
  expect(texts[0]).toContain('callwright_webhooks_due 3');
  expect(texts[0]).toContain('callwright_caps_reached_total{cap="calls_per_minute"} 2');
  expect(texts[0]).toContain('callwright_caps_reached_total{cap="credits_per_day"} 1');
  expect(reads).toBe(1);
  clock.advance(5_000);
  await registry.metrics();
  expect(reads).toBe(2);
});
