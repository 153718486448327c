import type { CampaignState } from '../../store/schema.ts';

/** How a campaign may move, and no other way. */
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
/** Nothing happens in it any more. */
export const isOver = (state: CampaignState): boolean => MOVES[state].length === 0;
/** Its contacts are on their way to being called. */
export const isRunning = (state: CampaignState): boolean => mayMove(state, 'completed');
/** The state of a campaign whose calls may be dialled: scheduled until its first one is claimed. */
export const activeState = (startedAt: Date | null): 'scheduled' | 'ongoing' =>
  startedAt === null ? 'scheduled' : 'ongoing';
