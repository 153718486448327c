import type { Score } from './score.ts';

/** One call of the suite. */
export interface ScoredCall {
  readonly id: string;
  readonly language: string;
  readonly seed: number;
  readonly score: Score;
}

/** The suite's figures, over all of its calls. */
export interface Totals {
  readonly calls: number;
  readonly responses: {
    readonly count: number;
    readonly none: number;
    readonly p50: number;
    readonly p95: number;
  };
  readonly stops: {
    readonly count: number;
    readonly missed: number;
    readonly p50: number;
    readonly p95: number;
  };
  /** Murmurs and noises over the agent, those with a hole that is too long, and the longest hole. */
  readonly holes: {
    readonly count: number;
    readonly cut: number;
    readonly p95: number;
    readonly most: number;
  };
  readonly pauses: number;
  readonly cutIns: number;
  readonly dictations: number;
  readonly wholeDictations: number;
  readonly ghostWords: number;
  readonly deadAirMs: number;
  readonly faults: number;
  readonly voided: number;
  /** Tool calls beyond the first with the same arguments in a turn. */
  readonly duplicateRuns: number;
}

/** Silence over a murmur that a listener does not notice. */
const HOLE_MS = 60;

export function totalsOf(calls: readonly ScoredCall[], duplicateRuns: number): Totals {
  const scores = calls.map(({ score }) => score);
  const all = <T>(of: (score: Score) => readonly T[]): T[] => scores.flatMap((score) => [...of(score)]);
  const sum = (of: (score: Score) => number): number => scores.reduce((total, score) => total + of(score), 0);
  const responses = all((score) => score.responses);
  const stops = all((score) => score.stops);
  const holes = all((score) => score.holes).map(({ ms }) => ms);
  const known = (list: readonly (number | null)[]): number[] => list.filter((ms) => ms !== null);
  return {
    calls: calls.length,
    responses: {
      count: responses.length,
      none: responses.length - known(responses).length,
      p50: percentile(known(responses), 0.5),
      p95: percentile(known(responses), 0.95),
    },
    stops: {
      count: stops.length,
      missed: stops.length - known(stops).length,
      p50: percentile(known(stops), 0.5),
      p95: percentile(known(stops), 0.95),
    },
    holes: {
      count: holes.length,
      cut: holes.filter((ms) => ms > HOLE_MS).length,
      p95: percentile(holes, 0.95),
      most: Math.max(0, ...holes),
    },
    pauses: sum((score) => score.pauses),
    cutIns: sum((score) => score.cutIns),
    dictations: sum((score) => score.dictations),
    wholeDictations: sum((score) => score.wholeDictations),
    ghostWords: sum((score) => score.ghostWords),
    deadAirMs: Math.max(0, ...scores.map((score) => score.deadAirMs)),
    faults: sum((score) => score.faults.length),
    voided: sum((score) => score.voided),
    duplicateRuns,
  };
}

/** The value below which this share lies; NaN for none. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export interface Bound {
  readonly text: string;
  readonly holds: boolean;
}

const ms = (value: number): string => (Number.isNaN(value) ? '–' : `${Math.round(value)} ms`);
const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;

/**
 * What must hold of the whole suite; `early`: its calls whose recogniser has words within 150 ms, the delay that the bound on
 * stops is for. Elsewhere 300 ms of sound stop the agent, before the words.
 */
export function boundsOf(totals: Totals, early: Totals): Bound[] {
  const { responses, stops, holes, pauses, cutIns, dictations, wholeDictations } = totals;
  return [
    {
      text: `response p50 ${ms(responses.p50)}, p95 ${ms(responses.p95)}; bounds 620 and 850 ms`,
      holds: responses.p50 <= 620 && responses.p95 <= 850,
    },
    {
      text: `sentences without a reply: ${responses.none} of ${responses.count}; bound 0`,
      holds: responses.none === 0,
    },
    {
      text: `stop after an interruption, words after 150 ms: p95 ${ms(early.stops.p95)} of ${early.stops.count}; bound 220 ms`,
      holds: early.stops.p95 <= 220,
    },
    { text: `missed interruptions: ${stops.missed} of ${stops.count}; bound 0`, holds: stops.missed === 0 },
    {
      text: `agent cut off by a murmur or noise (a hole above ${HOLE_MS} ms): ${holes.cut} of ${holes.count}, the longest ${ms(holes.most)}; bound 1 %`,
      holds: holes.cut <= 0.01 * holes.count,
    },
    {
      text: `cut-ins in pauses up to 700 ms: ${cutIns} of ${pauses}; bound 1 %`,
      holds: cutIns <= 0.01 * pauses,
    },
    {
      text: `dictated numbers of 12 to 16 digits in one turn: ${wholeDictations} of ${dictations}; bound all`,
      holds: wholeDictations === dictations,
    },
    { text: `ghost words: ${totals.ghostWords}; bound 0`, holds: totals.ghostWords === 0 },
    { text: `longest dead air ${ms(totals.deadAirMs)}; bound 2500 ms`, holds: totals.deadAirMs <= 2_500 },
    { text: `duplicate tool runs: ${totals.duplicateRuns}; bound 0`, holds: totals.duplicateRuns === 0 },
    { text: `replies other than the expected ones: ${totals.faults}; bound 0`, holds: totals.faults === 0 },
  ];
}

/** The rows of the suite's table: a name, and the figures of each column. */
export const rowsOf = (columns: readonly Totals[]): string[][] => {
  const row = (name: string, of: (totals: Totals) => string): string[] => [name, ...columns.map(of)];
  return [
    row('calls', ({ calls }) => String(calls)),
    row('sentences answered', ({ responses }) => `${responses.count - responses.none} of ${responses.count}`),
    row('response p50 / p95', ({ responses }) => `${ms(responses.p50)} / ${ms(responses.p95)}`),
    row('interruptions, missed', ({ stops }) => `${stops.count}, ${stops.missed}`),
    row('stop p50 / p95', ({ stops }) => `${ms(stops.p50)} / ${ms(stops.p95)}`),
    row(
      'murmurs and noises, cut off by',
      ({ holes }) => `${holes.count}, ${percent(holes.cut, holes.count)}`,
    ),
    row('hole p95 / longest', ({ holes }) => `${ms(holes.p95)} / ${ms(holes.most)}`),
    row('pauses in sentences, cut-ins', ({ pauses, cutIns }) => `${pauses}, ${percent(cutIns, pauses)}`),
    row('dictations, in one turn', ({ dictations, wholeDictations }) => `${dictations}, ${wholeDictations}`),
    row('ghost words', ({ ghostWords }) => String(ghostWords)),
    row('longest dead air', ({ deadAirMs }) => ms(deadAirMs)),
    row('unexpected replies', ({ faults }) => String(faults)),
    row('planned overlaps that met silence', ({ voided }) => String(voided)),
  ];
};

/** How bad a call was, for the choice of those that are kept. */
export function badness({ score }: ScoredCall): number {
  const slow = score.responses.map((response) => Math.max(0, (response ?? 6_000) - 620) / 100);
  const late = score.stops.map((stop) => Math.max(0, (stop ?? 3_000) - 220) / 50);
  const holes = score.holes.map(({ ms: hole }) => Math.max(0, hole - HOLE_MS) / 50);
  const worst = (list: readonly number[]): number => Math.max(0, ...list);
  return (
    worst(slow) +
    worst(late) +
    worst(holes) +
    10 * (score.cutIns + score.ghostWords + score.faults.length + score.dictations - score.wholeDictations)
  );
}
