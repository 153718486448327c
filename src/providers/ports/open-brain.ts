import { openFlow } from '../flow/session.ts';
import { summariserOf } from '../flow/summarise.ts';
import type { BrainContext, LlmProvider, LlmSession, StepLlms } from './model.ts';

/** Whether the agent goes on after its first message, by its flow, before anyone answers. */
export const goesOnAfterIntro = ({ flow }: Pick<BrainContext, 'flow'>): boolean =>
  flow !== undefined && flow.isPrompt !== true;

/** Opens the brain of a conversation: the agent's flow, or the model. `now`: epoch ms; `ofSteps`: models of steps of the flow. */
export function openBrain(
  llm: LlmProvider,
  context: BrainContext,
  now: () => number,
  ofSteps?: StepLlms,
): LlmSession {
  const { flow, ...rest } = context;
  if (flow === undefined) return llm.open(context);
  const session = openFlow(llm, flow, rest, now, ofSteps);
  const summarise = summariserOf(llm, context);
  return summarise === undefined ? session : { ...session, summarise };
}
