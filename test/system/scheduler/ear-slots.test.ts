import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EarSlots } from '../../../src/dialer/ear-slots.ts';
import { LiveCalls } from '../../../src/dialer/live-calls.ts';
import { placeOutbound } from '../../../src/dialer/outbound.ts';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { createDialing, placingDeps, wholeCall, type Dialing } from '../../helpers/calls/claiming-node.ts';
import { startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createWorkspace } from '../../helpers/database/workspace.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

/** A node whose recogniser hears one call at once. */
function node(hasVendors = false) {
  const slots = new EarSlots({
    limit: () => 1,
    hears: (language) => language.startsWith('en'),
    hasVendors,
    now: () => dialing.clock.monotonic(),
  });
  const live = new LiveCalls(undefined, (callId) => slots.release(callId));
  const rung: string[] = [];
  const { signalling } = placingDeps(dialing);
  const deps = placingDeps(dialing, {
    live,
    ears: slots,
    // The phones ring on.
    signalling: { ...signalling, call: ({ to }: { to: string }) => void rung.push(to) },
  });
  const claim = async (): Promise<readonly Claimed[]> => {
    const batch = await claimBatch({ ...dialing.deps, engines: slots }, { visited: [], capacity: 100 });
    return batch?.claimed ?? [];
  };
  /** Resolves when the phones of these calls ring, or when the calls wait again. */
  const place = async (calls: readonly Claimed[]): Promise<void> => {
    const before = rung.length;
    const placed = calls.map((call) => {
      slots.reserve(call.callId, call.versionId);
      const whole = wholeCall(call);
      const versionConfig = { ...whole.versionConfig, language: 'en-US', secondaryLanguage: null } as const;
      return placeOutbound(deps, { ...whole, versionConfig });
    });
    const rings = hasVendors ? calls.length : Math.min(calls.length, 1);
    await expect.poll(() => rung.length).toBe(before + rings);
    let waiting = calls.length - rings;
    for (const one of placed) void one.then(() => (waiting -= 1));
    await expect.poll(() => waiting).toBe(0);
  };
  return { slots, live, rung, claim, place };
}

const statuses = async (campaign: string) =>
  (await dialing.callsOf(campaign)).map(
    ({ status, sub_status: sub, attempt }) => `${status} ${sub} ${attempt}`,
  );

describe('a campaign that this machine’s recogniser hears', () => {
  it('waits for a free recogniser: no phone rings, and no attempt counts', async () => {
    const workspace = await createWorkspace(dialing.db);
    const campaign = await startedCampaign(dialing, workspace, { contacts: 3 });
    const { slots, live, rung, claim, place } = node();
    const first = await claim();
    await place(first);
    expect([rung.length, slots.used, live.size]).toEqual([1, 1, 1]);
    const waiting = (await statuses(campaign)).filter((status) => status === 'registered LIMIT_REACHED 0');
    expect(waiting).toHaveLength(first.length - 1);
    // From now on the scheduler knows, and claims none that would wait.
    dialing.clock.advance(2_000);
    expect(await claim()).toEqual([]);

    const [ringing] = first.filter(({ callId }) => live.has(callId));
    live.remove(ringing?.callId ?? '', { type: 'ended', status: 'completed', subStatus: 'ANSWERED', at: 0 });
    const next = await claim();
    expect(next).toHaveLength(1);
    await place(next);
    expect(rung).toHaveLength(2);
  });

  it('does not wait where a vendor hears its calls', async () => {
    const workspace = await createWorkspace(dialing.db);
    await startedCampaign(dialing, workspace, { contacts: 3 });
    const { slots, rung, claim, place } = node(true);
    const calls = await claim();
    await place(calls);
    expect([rung.length, slots.used]).toEqual([calls.length, 0]);
  });
});
