import { findRecord } from '../../store/calls/records.ts';
import type { Tx } from '../../store/database.ts';
import type { CheckedCall, NewFinding } from '../../store/quality/checks.ts';
import { findScorecard, storeScore } from '../../store/quality/scorecards.ts';
import { isSampled } from './sample.ts';
import { scoreOf } from './score.ts';

/** Scores a call that was checked by the scorecard of its agent, if the scorecard's sample has it. */
export async function scoreCall(
  tx: Tx,
  workspaceId: string,
  call: CheckedCall & { readonly result: string | null; readonly durationMs: number | null },
  findings: readonly NewFinding[],
): Promise<void> {
  const card = await findScorecard(tx, workspaceId, call.agentId);
  if (card === undefined || card.criteria.length === 0) return;
  const isDue = isSampled(call.id, card.percent) || (card.withFindings && findings.length > 0);
  const record = isDue ? await findRecord(tx, workspaceId, call.id) : undefined;
  if (record === undefined) return;
  const scored = scoreOf(card.criteria, {
    findings,
    result: call.result,
    durationMs: call.durationMs,
    captured: record.clientAnalysis,
    evaluations: record.evaluations ?? [],
    agentLines: (record.transcript ?? []).flatMap(({ role, text }) => (role === 'agent' ? [text] : [])),
  });
  await storeScore(tx, workspaceId, call.id, { scorecardVersion: card.version, ...scored });
}
