import type { Analysis, AnalysisInput, Analyst } from './analysis.ts';
import { modelRequest } from './model-request.ts';
import { readModelAnswer } from './read-model-answer.ts';

/** A language model that answers with JSON text; size and time are bounded by whoever offers it. */
export interface StructuredModel {
  readonly name: string;
  answer(request: {
    readonly system: string;
    /** Alternating: ours first. */
    readonly messages: readonly string[];
    readonly schema: Record<string, unknown>;
  }): Promise<string>;
}

/** The model's answer did not fit, twice. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

/** An analyst that asks a model, and once more with what was wrong. */
export const modelAnalyst = (model: StructuredModel): Analyst => ({
  name: model.name,
  async analyse(input: AnalysisInput): Promise<Analysis> {
    const { system, user, schema } = modelRequest(input);
    const first = await model.answer({ system, messages: [user], schema });
    const reading = readModelAnswer(first, input);
    if (reading.ok) return reading.analysis;
    const repair = `The answer does not fit: ${reading.problems.slice(0, 10).join('; ')}. Answer with the whole corrected JSON object only.`;
    const second = readModelAnswer(
      await model.answer({ system, messages: [user, first.slice(0, 8_000), repair], schema }),
      input,
    );
    if (second.ok) return second.analysis;
    throw new UnusableAnswer('the model gave no analysis that fits');
  },
});
