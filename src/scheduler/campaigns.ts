import { campaignOpening } from '../domain/call-windows/call-window.ts';
import type { Tx } from '../store/database.ts';
import { type CampaignBatchEnd, campaignProgress, type DueCampaign } from '../store/scheduler/batch.ts';
import type { Choice, ChoiceInput } from './choose.ts';

export interface OpenCampaign {
  readonly campaign: DueCampaign;
  readonly ramp: CampaignBatchEnd['ramp'];
  readonly free: number;
}

/** A campaign outside its window is reconsidered after this long at the latest: its settings may have changed. */
const RECHECK_MS = 300_000;

/**
 * Splits due campaigns: those inside their window with their capacity, the others held as a whole until it opens, so
 * that a closed campaign costs one row and not one per call.
 */
export async function campaignsOf(
  tx: Tx,
  workspace: { readonly id: string; readonly callLimit: number },
  campaigns: readonly DueCampaign[],
  live: ReadonlyMap<string, number>,
  now: number,
): Promise<{ open: OpenCampaign[]; closed: CampaignBatchEnd[] }> {
  const open: OpenCampaign[] = [];
  const closed: CampaignBatchEnd[] = [];
  for (const campaign of campaigns) {
    const { ramp, free } = await campaignCapacity(tx, workspace, campaign, live.get(campaign.id) ?? 0, now);
    const stored = { limit: ramp.limit, at: new Date(ramp.at) };
    const opening = campaignOpening(campaign, now);
    if (opening <= now) open.push({ campaign, ramp: stored, free });
    else {
      closed.push({
        id: campaign.id,
        isServed: false,
        ramp: stored,
        holdUntil: new Date(Math.min(opening, now + RECHECK_MS)),
        isUnfunded: false,
        isDeep: false,
      });
    }
  }
  return { open, closed };
}

/** A campaign's ramp and free calls: the smaller of its share of the workspace's limit and its ramp, minus live calls. */
async function campaignCapacity(
  tx: Tx,
  workspace: { readonly id: string; readonly callLimit: number },
  campaign: DueCampaign,
  live: number,
  now: number,
): Promise<{ ramp: Ramp; free: number }> {
  const cap = Math.ceil((workspace.callLimit * (campaign.concurrencyPercentage ?? 100)) / 100);
  const stored =
    campaign.rampLimit === null ? null : { limit: campaign.rampLimit, at: campaign.rampAt ?? now };
  let ramp = rampAt(stored, { live, servedAt: campaign.servedAt, now });
  if (isStepDue(ramp, now, cap)) {
    ramp = stepRamp(ramp, await campaignProgress(tx, workspace.id, campaign.id, new Date(ramp.at)), now, cap);
  }
  return { ramp, free: Math.min(cap, ramp.limit) - live };
}

/** The round-robin order of the queues, least recently served first; null is the queue of the individual calls. */
export function orderOf(open: readonly OpenCampaign[], ownServedAt: number): (string | null)[] {
  const queues: { id: string | null; servedAt: number }[] = [
    { id: null, servedAt: ownServedAt },
    ...open.map(({ campaign }) => ({ id: campaign.id, servedAt: campaign.servedAt })),
  ];
  return queues.sort((a, b) => a.servedAt - b.servedAt).map(({ id }) => id);
}

/** What the end of the batch writes for one open campaign. */
export function campaignEnd(
  id: string,
  ramp: CampaignBatchEnd['ramp'],
  input: ChoiceInput,
  chosen: Choice,
  takes: readonly { readonly id: string; readonly take: number }[],
): CampaignBatchEnd {
  const read = input.candidates.filter((candidate) => candidate.campaignId === id).length;
  const held = chosen.held.get(id);
  const wanted = takes.find((t) => t.id === id)?.take ?? 0;
  return {
    id,
    isServed: chosen.started.some(({ candidate }) => candidate.campaignId === id),
    ramp,
    holdUntil: held === undefined ? null : new Date(held),
    isUnfunded: chosen.unfunded.has(id),
    isDeep: held === undefined && !chosen.unfunded.has(id) && read >= wanted,
  };
}

/**
 * The concurrency of a campaign that starts dialling: two calls, doubled at each step while its calls connect, so that
 * a bad contact list or trunk shows before it has cost much. The state is a limit and a time, both overwritten as a
 * whole: there is no counter that could drift. Pure.
 */
export interface Ramp {
  readonly limit: number;
  /** When `limit` took effect, epoch ms. */
  readonly at: number;
}

const START = 2;
const RAMP_STEP_MS = 3_000;
/** A campaign idle for longer starts over: after a pause, a night, a tripped breaker. */
const FORGET_MS = 60_000;

/** The campaign's ramp at `now`, before any step. */
export function rampAt(
  stored: Ramp | null,
  campaign: { readonly live: number; readonly servedAt: number; readonly now: number },
): Ramp {
  const isIdle = campaign.live === 0 && campaign.now - campaign.servedAt > FORGET_MS;
  return stored === null || isIdle ? { limit: START, at: campaign.now } : stored;
}

/** Whether the outcomes since the last step should be read. */
export const isStepDue = (ramp: Ramp, now: number, cap: number): boolean =>
  ramp.limit < cap && now - ramp.at >= RAMP_STEP_MS;

/** The next step: doubles the limit if more calls connected than failed, else keeps it for another step. */
export function stepRamp(
  ramp: Ramp,
  since: { readonly connected: number; readonly failed: number },
  now: number,
  cap: number,
): Ramp {
  if (since.connected + since.failed === 0) return ramp;
  const limit = since.connected > since.failed ? Math.min(cap, ramp.limit * 2) : ramp.limit;
  return { limit, at: now };
}
