import { errors } from '../../../errors.ts';
import type { Db } from '../../../store/database.ts';
import { listMessages, type MessageFilter, type MessageRow } from '../../../store/campaigns/message-rows.ts';
import { knownCampaign } from '../read-campaigns.ts';

export type { MessageFilter, MessageRow };

const MAX_LIMIT = 200;

export interface MessagePage {
  readonly messages: readonly MessageRow[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** A page of a campaign's messages, in the order of its list. Throws 404; 400 for a limit above 200, or if it calls. */
export async function readMessages(
  deps: { readonly db: Db },
  workspaceId: string,
  campaignId: string,
  filter: MessageFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<MessagePage> {
  if (page.limit > MAX_LIMIT) throw errors.limitTooHigh(MAX_LIMIT);
  const campaign = await knownCampaign(deps.db, workspaceId, campaignId);
  if (campaign.template === null) throw errors.campaignCalls();
  return { ...(await listMessages(deps.db, workspaceId, campaign.id, filter, page)), ...page };
}
