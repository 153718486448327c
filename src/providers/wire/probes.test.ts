import { describe, expect, it } from 'vitest';
import { vendorFault } from './fault.ts';
import { VendorHealths } from './health.ts';
import { probeMemory, Probes } from './probes.ts';

describe('probes of a vendor that failed', () => {
  it('lets every request through after one failure', () => {
    const probes = new Probes(probeMemory(), () => 0);
    probes.failed('vendor');
    expect([probes.take('vendor'), probes.take('vendor')]).toEqual([true, true]);
  });

  it('lets one request of all threads through after two failures, once the random delay is over', () => {
    let now = 1_000;
    const memory = probeMemory();
    const threads = [0, 0.9].map(
      (random) =>
        new Probes(
          memory,
          () => now,
          () => random,
        ),
    );
    for (const thread of threads) thread.failed('vendor');
    const takes = () => threads.map((thread) => thread.take('vendor'));
    expect(takes()).toEqual([false, false]);
    now += 349;
    expect(takes()).toEqual([false, false]);
    now += 1;
    expect(takes()).toEqual([true, false]);
    now += 4_000;
    expect(takes()).toEqual([true, false]);
    threads[1]?.worked('vendor');
    expect(takes()).toEqual([true, true]);
  });

  it('lets the next request through when one was cancelled before an answer', () => {
    const probes = new Probes(
      probeMemory(),
      () => 5_000,
      () => 0,
    );
    probes.failed('vendor');
    probes.failed('vendor');
    probes.returned('vendor');
    expect([probes.take('vendor'), probes.take('vendor')]).toEqual([true, false]);
  });

  it('keeps the fault of a recogniser apart from the voice and the model of its vendor', () => {
    const healths = new VendorHealths();
    const refused = vendorFault('openai', 'key', '', { status: 401 });
    healths.of('stt').broke('openai', refused);
    healths.of('stt').broke('openai', refused);
    const parts = (['stt', 'tts', 'llm'] as const).map((part) => healths.of(part));
    expect(parts.map((health) => health.brokenBy('openai') === null)).toEqual([false, true, true]);
    expect(parts.map((health) => health.asksAgain('openai'))).toEqual([false, true, true]);
  });
});
