import { isUuid } from '../../shared/ids.ts';
import {
  countEvaluations,
  countLongTalks,
  sumByVersion,
  type AnalyticsFilter,
  type EvaluationCounts,
  type Sums,
} from '../../store/analysis/analytics.ts';
import { findVersionNames } from '../../store/analysis/version-names.ts';
import { differenceOf, type Difference, type Proportion } from './proportions.ts';
import { NO_SUMS, prepare, type Deps } from './read-analytics.ts';
import { reactionsOf, readVersionReactions, type Reactions } from './read-reactions.ts';

export interface ComparedVersion {
  readonly versionId: string;
  /** Null: no such version. */
  readonly versionSlug: string | null;
  readonly sums: Sums;
  /** Answered calls of 30 s or longer. */
  readonly longTalks: number;
  readonly criteria: readonly EvaluationCounts[];
  readonly reactions: Reactions;
}
/** A share of both versions. */
export interface ComparedShare {
  /** answered: of attempts; long_talk: 30 s or longer, of answered calls; criterion: passed, of judged ones. */
  readonly of: 'answered' | 'long_talk' | 'criterion';
  /** Null: not of a criterion. */
  readonly criterion: string | null;
  readonly a: Proportion;
  readonly b: Proportion;
  /** Null: one side has no calls. */
  readonly difference: Difference | null;
}
export interface Comparison {
  readonly a: ComparedVersion;
  readonly b: ComparedVersion;
  readonly shares: readonly ComparedShare[];
}

/** Two versions of an agent side by side. An id that matches nothing has no calls. */
export async function compareVersions(
  deps: Deps,
  workspaceId: string,
  requested: AnalyticsFilter & { readonly agentId: string },
  versions: { readonly a: string; readonly b: string },
): Promise<Comparison> {
  const filter = await prepare(deps, workspaceId, requested);
  const [a, b] =
    filter === null
      ? [noFigures(versions.a), noFigures(versions.b)]
      : await readFigures(deps, workspaceId, filter, [versions.a, versions.b]);
  return { a, b, shares: sharesOf(a, b) };
}

const noFigures = (versionId: string): ComparedVersion => ({
  versionId,
  versionSlug: null,
  sums: NO_SUMS,
  longTalks: 0,
  criteria: [],
  reactions: reactionsOf([]),
});

async function readFigures(
  deps: Deps,
  workspaceId: string,
  filter: AnalyticsFilter,
  [a, b]: readonly [string, string],
): Promise<[ComparedVersion, ComparedVersion]> {
  const keys = [a, b].filter(isUuid).map((versionId) => ({ versionId, agentId: filter.agentId ?? '' }));
  const [names, sums, talks, criteria, reactions] = await Promise.all([
    findVersionNames(deps.db, workspaceId, keys),
    sumByVersion(deps.db, workspaceId, filter),
    countLongTalks(deps.db, workspaceId, filter),
    countEvaluations(deps.db, workspaceId, filter),
    readVersionReactions(deps, workspaceId, filter),
  ]);
  const of = (versionId: string): ComparedVersion => {
    const isIt = (each: { versionId: string }): boolean => each.versionId === versionId;
    return {
      versionId,
      versionSlug: names.find(isIt)?.versionSlug ?? null,
      sums: sums.find(isIt) ?? NO_SUMS,
      longTalks: talks.find(isIt)?.calls ?? 0,
      criteria: criteria.filter(isIt),
      reactions: reactions.find(isIt)?.reactions ?? reactionsOf([]),
    };
  };
  return [of(a), of(b)];
}

/** The shares of two versions; a criterion that only one of them has is compared with nothing. */
export function sharesOf(
  a: Pick<ComparedVersion, 'sums' | 'longTalks' | 'criteria'>,
  b: Pick<ComparedVersion, 'sums' | 'longTalks' | 'criteria'>,
): ComparedShare[] {
  const share = (
    of: ComparedShare['of'],
    criterion: string | null,
    proportion: (version: typeof a) => Proportion,
  ): ComparedShare => {
    const [ofA, ofB] = [proportion(a), proportion(b)];
    return { of, criterion, a: ofA, b: ofB, difference: differenceOf(ofA, ofB) };
  };
  const names = [...new Set([...a.criteria, ...b.criteria].map(({ name }) => name))];
  return [
    share('answered', null, ({ sums }) => ({ count: sums.answeredAttempts, total: sums.attempts })),
    share('long_talk', null, ({ sums, longTalks }) => ({ count: longTalks, total: sums.answered })),
    ...names.map((name) =>
      share('criterion', name, ({ criteria }) => {
        const { passed = 0, failed = 0 } = criteria.find((each) => each.name === name) ?? {};
        return { count: passed, total: passed + failed };
      }),
    ),
  ];
}
