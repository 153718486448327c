import { openFlow } from '../flow/session.ts';
import type { BrainContext, LlmProvider, LlmSession } from './model.ts';

/** Opens the brain of a conversation: the agent's flow, or the model. `now`: epoch ms. */
export const openBrain = (llm: LlmProvider, context: BrainContext, now: () => number): LlmSession =>
  context.flow === undefined ? llm.open(context) : openFlow(context.flow, context, now);
