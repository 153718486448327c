import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { CallReport } from './call-link.ts';
import { registerGauges } from './metrics.ts';

const REPORT = { liveCalls: 2, freeCalls: 3, loads: [], lateLoopP99Ms: 0 };

/** The lines of /metrics that begin with `prefix`. */
async function shown(ears: CallReport['ears'] | null, prefix: string): Promise<string[]> {
  const registry = new Registry();
  registerGauges(registry, () =>
    Promise.resolve(ears === null ? null : ({ ...REPORT, ears } as unknown as CallReport)),
  );
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith(prefix));
}

describe('the metrics of recognisers with slots', () => {
  it('show calls with a slot, slots, and the share of a core of one speaking caller', async () => {
    expect(await shown({ used: 2, limit: 9, share: 0.07 }, 'callwright_recogniser')).toEqual([
      'callwright_recogniser_calls 2',
      'callwright_recogniser_slots 9',
      'callwright_recogniser_core_share 0.07',
    ]);
  });

  it('leave slots and share out where no recogniser with slots is loaded', async () => {
    expect(await shown({ used: 0, limit: null, share: null }, 'callwright_recogniser')).toEqual([
      'callwright_recogniser_calls 0',
    ]);
  });

  it('are absent while the thread of the calls does not respond', async () => {
    expect(await shown(null, 'callwright_')).toEqual([]);
  });
});
