import type { CampaignRow } from '../../store/campaigns/campaigns.ts';
import { waitingOf, type CampaignCounts } from '../../store/campaigns/counts.ts';
import type { CampaignState } from '../../store/schema.ts';

/** The table of state transitions; any other move is refused. */
const MOVES: Readonly<Record<CampaignState, readonly CampaignState[]>> = {
  uploaded: ['verifying', 'draft', 'failed', 'terminated'],
  verifying: ['draft', 'failed', 'terminated'],
  draft: ['scheduled', 'terminated'],
  scheduled: ['ongoing', 'paused', 'insufficient_balance', 'completed', 'terminated'],
  ongoing: ['paused', 'insufficient_balance', 'completed', 'terminated'],
  paused: ['scheduled', 'ongoing', 'completed', 'terminated'],
  insufficient_balance: ['scheduled', 'ongoing', 'paused', 'completed', 'terminated'],
  completed: [],
  terminated: [],
  failed: [],
};

export const mayMove = (from: CampaignState, to: CampaignState): boolean => MOVES[from].includes(to);
/** True for a final state. */
export const isOver = (state: CampaignState): boolean => MOVES[state].length === 0;
/** True from start to end, pauses included: the campaign may still complete. */
export const isRunning = (state: CampaignState): boolean => mayMove(state, 'completed');
/** The state of a campaign whose calls may be dialled: `scheduled` until the scheduler claims the first one. */
export const activeState = (startedAt: Date | null): 'scheduled' | 'ongoing' =>
  startedAt === null ? 'scheduled' : 'ongoing';

/** Contacts of a campaign that cost credits when they are reached: messages cost none. */
export const chargedWaiting = (campaign: Pick<CampaignRow, 'template'>, counts: CampaignCounts): number =>
  campaign.template === null ? waitingOf(counts) : 0;
