import type { PriceTable } from '../../shared/prices.ts';
import type { Db } from '../../store/database.ts';
import {
  findLine,
  recordLine,
  reserveLine,
  returnReserve,
  type RehearsalStop,
} from '../../store/rehearsals/lines.ts';
import type { RehearsalRef } from '../../store/rehearsals/rehearsals.ts';
import type { GateDeps } from '../admission/gate.ts';
import { charged, hold } from '../admission/holds.ts';
import type { StructuredModel } from '../analysis/model-analyst.ts';
import { FREE, toMicroCredits, type UnitPrices } from '../credits/price.ts';
import { askLine, type AskedLine } from './ask-line.ts';
import { askedBy, worstOfLine } from './budget.ts';
import { NO_LINES, type CallerLine, type CallerLines, type LineRequest } from './caller-lines.ts';

/** The rehearsal plays no more calls: `over`: it was cancelled or deleted. */
export class RehearsalStopped extends Error {
  override readonly name = 'RehearsalStopped';
  readonly reason: RehearsalStop | 'over';

  constructor(reason: RehearsalStop | 'over') {
    super(`the rehearsal stops: ${reason}`);
    this.reason = reason;
  }
}

class Unanswered extends Error {
  override readonly name = 'Unanswered';
  readonly asked: AskedLine;

  constructor(asked: AskedLine) {
    super('the model did not answer');
    this.asked = asked;
  }
}

export interface ModelLinesDeps extends GateDeps {
  /** The language model of a workspace; null or absent: it has none. */
  modelOf?: (workspaceId: string) => Promise<StructuredModel | null>;
  readonly prices: PriceTable;
  /** Absent: free. */
  readonly unitPrices?: UnitPrices;
}

/** Longer than one answer of a model. */
const HELD_MS = 60_000;

/**
 * The lines of one call of a rehearsal: recorded ones, else those of the model, which are recorded. Each is a turn of a model for the
 * admission gate, and counts against the budget before it is asked for. Rejects with `RehearsalStopped` when either refuses it.
 */
export const modelLines = (
  deps: ModelLinesDeps,
  ref: RehearsalRef,
  model: StructuredModel,
  call: number,
): CallerLines => ({
  async line(request): Promise<CallerLine> {
    const { db } = deps;
    const known = await findLine(db, ref, call, request.key);
    if (known !== null) return known as CallerLine;
    const worst = worstOfLine(deps.prices, model.models ?? [], askedBy(request)) ?? 0;
    const reserved = await reserveLine(db, ref, worst);
    if (reserved !== 'reserved') throw new RehearsalStopped(reserved === 'beyond' ? 'max_cost' : 'over');
    const { line, cost } = await admitted(deps, ref, model, request, worst);
    const of = { call, key: request.key, line, unused: worst - cost };
    return (await recordLine(db, ref, of)) as CallerLine;
  },
});

async function admitted(
  deps: ModelLinesDeps,
  ref: RehearsalRef,
  model: StructuredModel,
  request: LineRequest,
  worst: number,
): Promise<AskedLine> {
  const { workspaceId, rehearsalId: subjectId } = ref;
  const price = { each: toMicroCredits((deps.unitPrices ?? FREE).modelTurn), most: 1 };
  const what = { workspaceId, kind: 'test', subjectId, price, byStranger: false, lifeMs: HELD_MS } as const;
  const answer = await hold(deps, what);
  if (!answer.admitted) {
    await returnReserve(deps.db, ref, worst);
    throw new RehearsalStopped('credits');
  }
  try {
    return await charged(deps, answer, price, async () => {
      const asked = await askLine(model, deps.prices, request, worst);
      // A turn that the model did not answer is not charged.
      if (asked.line.refused === 'unanswered') throw new Unanswered(asked);
      return asked;
    });
  } catch (error) {
    if (error instanceof Unanswered) return error.asked;
    throw error;
  }
}

/** The recorded lines of a call, for a replay that asks no model. */
export const recordedLines = (db: Db, ref: RehearsalRef, call: number): CallerLines => ({
  line: async (request) =>
    ((await findLine(db, ref, call, request.key)) as CallerLine | null) ?? NO_LINES.line(request),
});
