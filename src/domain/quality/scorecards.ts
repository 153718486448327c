import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid } from '../../shared/ids.ts';
import { findAgent, lockAgent } from '../../store/agents/agents.ts';
import type { Db } from '../../store/database.ts';
import type { ScoreCriterion } from '../../store/json/scorecard.ts';
import { findScorecard, insertScorecard, type Scorecard } from '../../store/quality/scorecards.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

export type { Scorecard };

/** The newest scorecard of an agent; null: its calls are not scored. Throws 404. */
export async function readScorecard(
  { db }: { readonly db: Db },
  workspaceId: string,
  agentId: string,
): Promise<Scorecard | null> {
  const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  const card = await findScorecard(db, workspaceId, agent.id);
  return card === undefined || card.criteria.length === 0 ? null : card;
}

/**
 * Makes a new version of an agent's scorecard, for calls that end from now on; without criteria calls are no longer scored. Throws 404,
 * and 422 for two criteria of one name.
 */
export async function changeScorecard(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  change: ChangeEntry | null,
  input: {
    readonly agentId: string;
    readonly criteria: readonly ScoreCriterion[];
    readonly percent: number;
    readonly withFindings: boolean;
  },
): Promise<Scorecard | null> {
  const { agentId, ...card } = input;
  if (new Set(card.criteria.map(({ name }) => name)).size < card.criteria.length)
    throw errors.invalid('criteria', 'must have names that differ');
  return commitChange(db, change, async (tx) => {
    if (!isUuid(agentId) || (await lockAgent(tx, workspaceId, agentId)) === undefined)
      throw errors.agentNotFound();
    await insertScorecard(tx, workspaceId, agentId, card, new Date(clock.now()));
    return readScorecard({ db: tx }, workspaceId, agentId);
  });
}
