import { errors } from '../../../errors.ts';
import { listContacts, type ContactFilter, type ListedContact } from '../../../store/campaigns/contacts.ts';
import type { Db } from '../../../store/database.ts';
import { callingCampaign, campaignCallTime } from './calling-campaign.ts';

const MAX_LIMIT = 200;
const CURSOR = /^[1-9]\d{0,8}$/;

export interface ContactPage {
  /** The zone of the calling window. */
  readonly timezone: string;
  readonly contacts: readonly ListedContact[];
  /** Where the next page begins; null: this is the last. */
  readonly nextCursor: string | null;
}

/** A page of the contacts of a campaign that calls, in the order of its list. Throws 404, 400 and 422. */
export async function readContactPage(
  deps: { readonly db: Db },
  workspaceId: string,
  campaignId: string,
  filter: ContactFilter,
  page: { readonly limit: number; readonly cursor: string | null },
): Promise<ContactPage> {
  if (page.limit > MAX_LIMIT) throw errors.limitTooHigh(MAX_LIMIT);
  if (page.cursor !== null && !CURSOR.test(page.cursor)) {
    throw errors.invalid('cursor', 'must be the next_cursor of an earlier answer');
  }
  const campaign = await callingCampaign(deps.db, workspaceId, campaignId);
  const after = Number(page.cursor ?? 0);
  // One row more than the page has shows that another page follows.
  const [found, { timezone }] = await Promise.all([
    listContacts(deps.db, workspaceId, campaign.id, filter, after, page.limit + 1),
    campaignCallTime(deps.db, workspaceId, campaign),
  ]);
  const contacts = found.slice(0, page.limit);
  const hasMore = found.length > page.limit;
  return { timezone, contacts, nextCursor: hasMore ? String(contacts.at(-1)?.row ?? 0) : null };
}
