import type { Dice } from './dice.ts';

/**
 * Where a process may die by its own hand. `query`: around a statement; `commit`: around the commit of the transaction
 * that had such a statement; `packet`: around a UDP packet. `during` is right after the words have left, before
 * anything is known of their effect.
 */
interface Point {
  readonly at: 'query' | 'commit' | 'packet';
  /** What the statement or packet looks like. */
  readonly like: RegExp;
  /** One of the statement's values, where the text alone does not tell. */
  readonly value?: string;
  /** Only where the statement found something. */
  readonly withRows?: true;
  readonly when: readonly When[];
  /** How often the point may pass before the process dies at it. */
  readonly upTo: number;
}
export type When = 'before' | 'during' | 'after';

const ALL: readonly When[] = ['before', 'during', 'after'];

export const POINTS = {
  claim: { at: 'commit', like: /hot:end_turn/, when: ALL, upTo: 6 },
  journal: { at: 'commit', like: /set status = 'dialing'/, when: ALL, upTo: 15 },
  invite: { at: 'packet', like: /^INVITE /, when: ['before', 'after'], upTo: 15 },
  ringing: { at: 'commit', like: /set status = 'ringing'/, when: ALL, upTo: 10 },
  answered: { at: 'commit', like: /set status = 'answered'/, when: ALL, upTo: 8 },
  bye: {
    at: 'packet',
    like: /^(?:BYE |CANCEL |SIP\/2\.0 200 OK[^]*CSeq: \d+ BYE)/i,
    when: ['before', 'after'],
    upTo: 5,
  },
  settle: { at: 'commit', like: /'charge'/, when: ALL, upTo: 12 },
  event: { at: 'query', like: /^insert into "events"/, when: ['before', 'after'], upTo: 20 },
  delivery_taken: { at: 'query', like: /hot:take_deliveries/, withRows: true, when: ['after'], upTo: 8 },
  delivery_answered: { at: 'query', like: /hot:finish_deliveries/, when: ALL, upTo: 8 },
  import_copy: { at: 'query', like: /^\s*copy calls /, when: ['during'], upTo: 1 },
  import: { at: 'commit', like: /^\s*copy calls /, when: ALL, upTo: 1 },
  start: { at: 'commit', like: /^update "campaigns" set "number_pool_id"/, when: ALL, upTo: 1 },
  completion: {
    at: 'commit',
    like: /^update "campaigns" set "state"/,
    value: 'completed',
    when: ALL,
    upTo: 1,
  },
  report: { at: 'commit', like: /update campaigns set reported_at/, when: ALL, upTo: 1 },
} as const satisfies Record<string, Point>;

/** Points of the work after a call, where no chaos run comes by often enough. */
const AFTER_CALL = {
  job_taken: { at: 'query', like: /update jobs j set attempt/, withRows: true, when: ['after'], upTo: 1 },
  job_buried: { at: 'query', like: /update jobs set due_at/, withRows: true, when: ['after'], upTo: 1 },
  job_done: { at: 'query', like: /^update "jobs" set "state"/, when: ['before'], upTo: 1 },
  analysis: { at: 'query', like: /^update "call_records" set "platform_analysis"/, when: ALL, upTo: 1 },
  analysis_kept: { at: 'commit', like: /^update "call_records" set "platform_analysis"/, when: ALL, upTo: 1 },
  tool_noted: { at: 'query', like: /insert into call_records .*tool_log/, when: ['before'], upTo: 1 },
} as const satisfies Record<string, Point>;
const EVERY = { ...POINTS, ...AFTER_CALL };

export type PointName = keyof typeof EVERY;

/** How one life of a process ends: at the nth pass of a point. */
export interface Fate {
  readonly point: PointName;
  readonly when: When;
  readonly nth: number;
}

export const pointOf = (name: PointName): Point => EVERY[name];
export const nameOf = (fate: Fate): string => `${fate.point}.${fate.when}`;

/** What the dying process says last. */
export const LAST_WORDS = 'chaos: dies at ';

/** Fates in an order that comes by every point again and again; with less to do, points are reached at a lower count. */
export function fates(dice: Dice, density: number): () => Fate {
  const names = Object.keys(POINTS) as (keyof typeof POINTS)[];
  let bag: { point: PointName; when: When }[] = [];
  return () => {
    if (bag.length === 0) {
      bag = names.map((point) => ({ point, when: dice.pick(pointOf(point).when) }));
      for (let i = bag.length - 1; i > 0; i -= 1) {
        const j = dice.int(0, i);
        [bag[i], bag[j]] = [bag[j]!, bag[i]!];
      }
    }
    const { point, when } = bag.pop()!;
    return { point, when, nth: dice.int(1, Math.max(1, Math.round(pointOf(point).upTo * density))) };
  };
}

/** Fates travel as one word in the environment. */
export const FATE_VARIABLE = 'CHAOS_FATE';
export const writeFate = (fate: Fate): string => `${fate.point}.${fate.when}.${fate.nth}`;
export function readFate(text: string | undefined): Fate | null {
  const [point = '', when = '', nth = ''] = (text ?? '').split('.');
  if (!Object.hasOwn(EVERY, point) || !ALL.includes(when as When)) return null;
  return { point: point as PointName, when: when as When, nth: Number(nth) };
}
