import { DEFAULT_CALL_TIME } from '../call-windows/call-time.ts';
import type { VersionConfig } from '../../store/json/agent-version.ts';
import type { Expectation, Verdict } from '../../store/json/test-case.ts';
import { isLanguage, isValidZone } from '@callwright/language';
import type { AnalysisInput, Analyst } from '../analysis/analysis.ts';
import type { PlayedCase } from './play-case.ts';

const RESULTS = { passed: 'held', failed: 'not_held', not_judged: 'not_judged' } as const;

/** The verdicts on the criteria among the expectations, in order. Rejects when the analyst fails. */
export async function judgeCriteria(
  analyst: Analyst,
  expectations: readonly Expectation[],
  of: {
    readonly config: VersionConfig;
    readonly agentName: string;
    readonly played: PlayedCase;
    readonly at: number;
  },
): Promise<Verdict[]> {
  const criteria = expectations.flatMap((each) => (each.type === 'criterion' ? [each.criterion] : []));
  if (criteria.length === 0) return [];
  const { evaluations } = await analyst.analyse(inputOf(criteria, of));
  return criteria.map((_, at) => {
    const found = evaluations[at];
    if (found === undefined) return { result: 'not_judged', reason: 'The judge gave no result.' };
    return { result: RESULTS[found.result], reason: found.reason };
  });
}

function inputOf(
  criteria: readonly string[],
  { config, agentName, played, at }: Parameters<typeof judgeCriteria>[2],
): AnalysisInput {
  const zone = config.callConfig.callTime.timezone;
  return {
    language: isLanguage(config.language) ? config.language : 'en-US',
    timeZone: isValidZone(zone) ? zone : DEFAULT_CALL_TIME.timezone,
    endedAt: at,
    subStatus: played.end ?? 'USER_LEFT',
    hangupBy: played.end === null ? 'user' : 'agent',
    agentName,
    prompt: config.agentConfig.agentPrompt,
    transcript: played.turns.flatMap(({ line, said }) => [
      ...(line === null ? [] : [{ role: 'caller' as const, text: line }]),
      ...said.map((text) => ({ role: 'agent' as const, text })),
    ]),
    tools: played.turns.flatMap(({ tools }) => tools.map(({ name, args }) => ({ name, args: { ...args } }))),
    labels: [],
    client: null,
    evaluations: criteria.map((criterion, index) => ({ name: `criterion_${index + 1}`, criterion })),
  };
}
