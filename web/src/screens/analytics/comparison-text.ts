import type { Answer, Input } from '../../api/client.ts';
import { LOCALE } from '../../words/language.ts';
import { t } from '../../words/words.ts';

type Agents = Answer<'getDrillDownAnalytics'>['data']['agents'];
export type ComparedRow = Answer<'getComparisonAnalytics'>['data']['shares'][number];

/** Two versions of an assistant. */
export interface VersionPair {
  readonly agent: Agents[number];
  readonly version: string;
  readonly other: string;
}

export const comparisonInput = (
  query: Input<'getPlatformAnalytics'>,
  { agent, version, other }: VersionPair,
): Input<'getComparisonAnalytics'> => ({
  ...query,
  agent_id: agent.agent_id,
  version_id: version,
  other_version_id: other,
});

/** The assistant and the two versions that are compared: the chosen ones, else those with the most calls; null: none. */
export function comparedVersions(
  agents: Agents,
  chosen: { readonly version?: string | undefined; readonly other?: string | undefined },
): VersionPair | null {
  const comparable = agents.filter(({ versions }) => versions.length > 1);
  const has = (agent: Agents[number], id: string | undefined): boolean =>
    agent.versions.some(({ version_id: each }) => each === id);
  const named = comparable.find((agent) => has(agent, chosen.version) && has(agent, chosen.other));
  if (named !== undefined && chosen.version !== chosen.other) {
    return { agent: named, version: chosen.version!, other: chosen.other! };
  }
  const [agent] = comparable;
  const [first, second] = agent?.versions ?? [];
  if (agent === undefined || first === undefined || second === undefined) return null;
  return { agent, version: first.version_id, other: second.version_id };
}

export const shareName = ({ of, criterion }: ComparedRow): string =>
  of === 'answered'
    ? t('Answered, of ended calls')
    : of === 'long_talk'
      ? t('Talk of 30 s or longer, of answered calls')
      : t('{criterion}, met of judged', { criterion: criterion ?? '' });

/** Percentage points with their sign, such as `+12.3`. */
const points = (share: number): string =>
  new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(share * 100);

const VERDICTS: Readonly<Record<ComparedRow['verdict'], string>> = {
  a_higher: 'A is higher',
  b_higher: 'B is higher',
  within_chance: 'No clear difference',
  no_calls: 'No calls to compare',
};

/** What the figures show, and the 95% interval of B minus A in percentage points. */
export function describeDifference({ verdict, difference, low, high }: ComparedRow): {
  verdict: string;
  interval: string | null;
} {
  return {
    verdict: t(VERDICTS[verdict]),
    interval:
      difference === null || low === null || high === null
        ? null
        : t('{difference} points ({low} to {high})', {
            difference: points(difference),
            low: points(low),
            high: points(high),
          }),
  };
}
