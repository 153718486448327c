import { promptContents } from '../offline/script/prompt-contents.ts';
import type { RehearsedAgent } from '../rehearsal/play/play-call.ts';
import type { Scenario } from '../rehearsal/scenario/document.ts';
import { scenariosOf } from '../rehearsal/scenario/from-flow.ts';
import { scenariosOfPrompt } from '../rehearsal/scenario/from-prompt.ts';
import { talkOf } from '../session/settings.ts';

const SAMPLE_RATE = 8_000;

/** Scenarios for an agent: the ways through its flow, or callers for what its prompt says; none for a flow that is not English. */
export async function madeScenarios(agent: RehearsedAgent, name: string): Promise<Scenario[]> {
  if (agent.spec.agent.flow !== undefined) return scenariosOf(agent, name);
  const { context } = talkOf(agent.spec, { understands: () => true }, SAMPLE_RATE);
  return scenariosOfPrompt(agent, name, promptContents(context));
}
