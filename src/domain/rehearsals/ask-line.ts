import type { PriceTable } from '../../shared/prices.ts';
import type { AnswerUsage, StructuredModel } from '../analysis/model-analyst.ts';
import { costOfLine } from './budget.ts';
import { refusedLine, type CallerLine, type LineRequest } from './caller-lines.ts';

/** Callers differ from call to call. */
const TEMPERATURE = 0.8;

export interface AskedLine {
  readonly line: CallerLine;
  /** Millionths of the price list's currency. */
  readonly cost: number;
}

/** A line by a model, and what it cost, at most `worst`; the rules stand in where the model does not answer. */
export async function askLine(
  model: StructuredModel,
  prices: PriceTable,
  { system, user, schema, mostTokens, read }: LineRequest,
  worst: number,
): Promise<AskedLine> {
  let usage: AnswerUsage | null = null;
  const onUsage = (used: AnswerUsage): void => {
    usage = used;
  };
  const request = { system, messages: [user], schema, mostTokens, temperature: TEMPERATURE, onUsage };
  const line = await model.answer(request).then(read, () => refusedLine('unanswered'));
  return { line, cost: costOfLine(prices, usage, worst) };
}
