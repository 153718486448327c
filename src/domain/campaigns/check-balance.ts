import { errors } from '../../errors.ts';
import { countCampaign } from '../../store/campaigns/counts.ts';
import type { Db } from '../../store/database.ts';
import { readBalance, type Balance } from '../../store/calls/new-call.ts';
import type { CampaignState } from '../../store/schema.ts';
import { pulsePrice, type Rate } from '../credits/price.ts';
import { chargedWaiting } from './campaign-state.ts';
import { knownCampaign } from './read-campaigns.ts';

/** Required and available micro-credits; a campaign needs one billing pulse per waiting contact (open-points, Money). */
export function balanceFor(waiting: number, balance: Balance, rate: Rate) {
  const required = balance.unlimited ? 0 : waiting * pulsePrice(rate);
  const available = balance.credits - balance.lockedCredits;
  return { required, available, isSufficient: available >= required || balance.unlimited };
}

/** Throws 400 while the contact list is still being imported, and when its import failed. */
export function checkListTaken(state: CampaignState): void {
  if (state === 'uploaded' || state === 'verifying') throw errors.campaignNotReady();
  if (state === 'failed') throw errors.campaignListRefused();
}

/** Money in micro-credits. */
export interface CampaignBalance {
  readonly campaignId: string;
  readonly state: CampaignState;
  /** One pulse per waiting contact. */
  readonly required: number;
  readonly available: number;
  readonly isSufficient: boolean;
}

/** Answers whether the balance covers the waiting contacts (interface, POST /campaign/check-balance). Throws 404, 400. */
export async function checkCampaignBalance(
  deps: { db: Db; rate: Rate },
  workspaceId: string,
  campaignId: string,
): Promise<CampaignBalance> {
  const campaign = await knownCampaign(deps.db, workspaceId, campaignId);
  checkListTaken(campaign.state);
  const counts = await countCampaign(deps.db, workspaceId, campaign.id);
  const balance = await readBalance(deps.db, workspaceId);
  if (balance === undefined) throw errors.invalidCredentials();
  const { required, available, isSufficient } = balanceFor(
    chargedWaiting(campaign, counts),
    balance,
    deps.rate,
  );
  return { campaignId: campaign.id, state: campaign.state, required, available, isSufficient };
}
