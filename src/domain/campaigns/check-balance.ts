import { errors } from '../../errors.ts';
import { countCampaign, waitingOf } from '../../store/campaign-counts.ts';
import type { Db } from '../../store/database.ts';
import { readBalance, type Balance } from '../../store/new-call.ts';
import type { CampaignState } from '../../store/schema.ts';
import { pulsePrice, toCredits, type Rate } from '../credits/price.ts';
import { knownCampaign } from './read-campaigns.ts';

/** What a campaign needs and what there is, in micro-credits (open-points, Money: one pulse per contact). */
export function balanceFor(waiting: number, balance: Balance, rate: Rate) {
  const required = balance.unlimited ? 0 : waiting * pulsePrice(rate);
  const available = balance.credits - balance.locked_credits;
  return { required, available, isSufficient: available >= required || balance.unlimited };
}

/** Throws 400 for a list that was not taken in, or not yet. */
export function checkListTaken(state: CampaignState): void {
  if (state === 'uploaded' || state === 'verifying') throw errors.campaignNotReady();
  if (state === 'failed') throw errors.campaignListRefused();
}

/** Whether the balance covers the contacts that wait (interface, POST /campaign/check-balance). Throws 404 and 400. */
export async function checkCampaignBalance(
  deps: { db: Db; rate: Rate },
  workspaceId: string,
  campaignId: string,
) {
  const campaign = await knownCampaign(deps.db, workspaceId, campaignId);
  checkListTaken(campaign.state);
  const counts = await countCampaign(deps.db, workspaceId, campaign.id);
  const balance = await readBalance(deps.db, workspaceId);
  if (balance === undefined) throw errors.invalidCredentials();
  const { required, available, isSufficient } = balanceFor(waitingOf(counts), balance, deps.rate);
  return {
    bulk_list_id: campaign.id,
    status: campaign.state,
    required_credits: toCredits(required),
    available_credits: toCredits(available),
    sufficient_balance: isSufficient,
    message: isSufficient
      ? 'The balance covers the campaign'
      : 'Your current balance is insufficient to run this campaign!',
  };
}
