import {
  countReactionsByDay,
  countReactionsByVersion,
  REACTION_PARTS,
  type AttemptFilter,
  type ReactionPart,
} from '../../store/analysis/attempt-figures.ts';
import {
  countReactionsByHour,
  findAttemptSpan,
  sumByHour,
  type HourSums,
} from '../../store/analysis/hour-sums.ts';
import { findVersionNames, type VersionName } from '../../store/analysis/version-names.ts';
import { errors } from '../../errors.ts';
import { isValidZone } from '@callwright/language';
import { percentilesOf, type Histogram, type Percentiles } from './histogram.ts';
import { SLOT_MS, splitWeeks, stretchesOf } from './hours.ts';
import { prepare, type Deps } from './read-analytics.ts';
import { recordOf } from '../../shared/record-of.ts';

export type Reactions = Readonly<Record<ReactionPart, Percentiles>>;
export type VersionReactions = VersionName & { readonly reactions: Reactions };

/** Reaction times and their parts: of all turns, by day, and by version. */
export interface ReactionTimes {
  readonly all: Reactions;
  readonly days: readonly { readonly day: string; readonly reactions: Reactions }[];
  /** Most turns first. */
  readonly versions: readonly VersionReactions[];
}

export interface HourFigures extends Omit<HourSums, 'hour'> {
  /** 0 to 23, in the zone. */
  readonly hour: number;
  /** Null: the filter names a campaign, of which hours keep no reaction times. */
  readonly reaction: Percentiles | null;
}

interface Measured {
  readonly part: number;
  readonly counts: Histogram;
}

/** The percentiles of each part; several histograms of a part add up. */
export function reactionsOf(rows: readonly Measured[]): Reactions {
  const byPart = Map.groupBy(rows, ({ part }) => part);
  const of = (part: number): Percentiles =>
    percentilesOf((byPart.get(part) ?? []).map(({ counts }) => counts));
  return recordOf(REACTION_PARTS, (_name, part) => of(part));
}

/** Counts each attempt on the day of its dialing in the workspace's time zone. */
export async function readReactionTimes(
  deps: Deps,
  workspaceId: string,
  requested: AttemptFilter,
): Promise<ReactionTimes> {
  const filter = await prepare(deps, workspaceId, requested);
  if (filter === null) return { all: reactionsOf([]), days: [], versions: [] };
  const [days, versions] = await Promise.all([
    countReactionsByDay(deps.db, workspaceId, filter),
    readVersionReactions(deps, workspaceId, filter),
  ]);
  return {
    all: reactionsOf(days),
    days: [...Map.groupBy(days, ({ day }) => day)].map(([day, rows]) => ({
      day,
      reactions: reactionsOf(rows),
    })),
    versions,
  };
}

/** Of the versions with turns, most turns first. */
export async function readVersionReactions(
  deps: Deps,
  workspaceId: string,
  filter: AttemptFilter,
): Promise<VersionReactions[]> {
  const counts = Map.groupBy(
    await countReactionsByVersion(deps.db, workspaceId, filter),
    ({ versionId }) => versionId,
  );
  const keys = [...counts].map(([versionId, rows]) => ({ versionId, agentId: rows[0]?.agentId ?? '' }));
  const names = await findVersionNames(deps.db, workspaceId, keys);
  return names
    .map((name) => ({ ...name, reactions: reactionsOf(counts.get(name.versionId) ?? []) }))
    .toSorted((a, b) => b.reactions.reaction.turns - a.reactions.reaction.turns);
}

/** Attempts, answers and reaction times by the hour of the dialing in a zone: 24 hours. */
export async function readHours(
  deps: Deps,
  workspaceId: string,
  requested: AttemptFilter,
  zone: string,
): Promise<readonly HourFigures[]> {
  if (!isValidZone(zone)) {
    throw errors.invalid('timezone', 'must be an IANA time zone such as Asia/Kolkata');
  }
  const filter = await prepare(deps, workspaceId, requested);
  const span = filter === null ? null : await findAttemptSpan(deps.db, workspaceId, filter);
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  const isOfCampaign = requested.campaignId !== null;
  const empty = { attempts: 0, answered: 0, durationMs: 0 };
  if (filter === null || span === null) {
    return hours.map((hour) => ({ hour, ...empty, reaction: isOfCampaign ? null : percentilesOf([]) }));
  }
  const [from, to] = [span.first.getTime(), span.last.getTime()];
  const stretches = stretchesOf(zone, from, to);
  const plan = { stretches, ...splitWeeks(stretches, filter, { from, to: to + SLOT_MS }) };
  const [sums, reactions] = await Promise.all([
    sumByHour(deps.db, workspaceId, filter, plan),
    isOfCampaign ? [] : countReactionsByHour(deps.db, workspaceId, filter, plan),
  ]);
  const known = new Map(sums.map((each) => [each.hour, each]));
  const histograms = new Map(reactions.map(({ hour, counts }) => [hour, counts]));
  return hours.map((hour) => ({
    ...empty,
    ...known.get(hour),
    hour,
    reaction: isOfCampaign ? null : percentilesOf([histograms.get(hour) ?? []]),
  }));
}
