import { AgentFinder } from '../../../src/cli/rehearse/agents.ts';
import { readScenarios } from '../../../src/cli/rehearse/files.ts';
import type { LlmProvider, ToolSpec } from '../../../src/providers/ports/model.ts';
import type { RehearsedAgent } from '../../../src/rehearsal/play/play-call.ts';
import type { PlayedCall } from '../../../src/rehearsal/play/rehearsal.ts';
import type { RunToPlay } from '../../../src/rehearsal/run.ts';
import type { Scenario } from '../../../src/rehearsal/scenario/document.ts';
import type { AgentSnapshot } from '../../../src/session/protocol.ts';

const finder = new AgentFinder('.');

/** The template that asks "Does your appointment on Tuesday at ten still suit you?", with other settings or another model. */
export function rehearsedAgent(
  change: { agent?: Partial<AgentSnapshot>; tools?: readonly ToolSpec[]; llm?: LlmProvider } = {},
): RehearsedAgent {
  const { spec, llm } = finder.find('appointment_reminder');
  return {
    llm: change.llm ?? llm,
    spec: { ...spec, tools: change.tools ?? [], agent: { ...spec.agent, ...change.agent } },
  };
}

/** A template as a rehearsal calls it. */
export const rehearsedTemplate = (id: string): RehearsedAgent => finder.find(id);

/** A scenario in which the caller answers that one question. */
export const oneQuestion = (
  persona: Partial<Scenario['persona']> = {},
  more: Partial<Scenario> = {},
): Scenario => ({
  name: 'One question',
  variables: { callee_name: 'Priya', visit_day: 'Tuesday', visit_time: 'ten' },
  persona: {
    goal: 'To come on Tuesday.',
    answers: [{ asked: ['still suit you'], says: 'Yes, it does.' }],
    ...persona,
  },
  expect: [{ type: 'ends', as: ['AGENT_ENDED'] }],
  ...more,
});

/** Every shipped scenario with its template. */
export const shippedParts = (): RunToPlay['parts'] =>
  readScenarios([]).map((scenario) => ({ scenario, agent: finder.find(scenario.agent ?? '') }));

/** What the caller said after picking up. */
export const saidBy = ({ caller }: PlayedCall): string[] =>
  caller.filter(({ kind }) => kind !== 'greeting').map(({ text }) => text);
