import type { RehearsalDetails, RehearsalRow } from '../../domain/rehearsals/rehearsals.ts';
import { fromMicro } from '../../domain/rehearsals/budget.ts';
import type { RecogniserName } from '../../rehearsal/sound/recognisers.ts';
import { iso, isoOrNull } from '../common/values.ts';

export const toRehearsal = (of: RehearsalRow) => ({
  rehearsal_id: of.id,
  agent_id: of.agentId,
  version_id: of.versionId,
  version_slug: of.versionSlug,
  against_version_id: of.againstId,
  against_version_slug: of.againstSlug,
  source_call_id: of.sourceId,
  seed: of.seed,
  calls: of.calls,
  timing: of.timing,
  mode: of.mode,
  recogniser: of.recogniser as RecogniserName | null,
  at_once: of.atOnce,
  state: of.state,
  played_calls: of.played,
  max_cost: of.maxCost === null ? null : fromMicro(of.maxCost),
  cost: of.currency === null ? null : fromMicro(of.spent),
  currency: of.currency,
  stopped_by: of.stoppedBy,
  error: of.error,
  created_at: iso(of.createdAt),
  started_at: isoOrNull(of.startedAt),
  ended_at: isoOrNull(of.endedAt),
});

export const toRehearsalDetails = ({ rehearsal, result }: RehearsalDetails) => ({
  rehearsal: { ...toRehearsal(rehearsal), result },
});
