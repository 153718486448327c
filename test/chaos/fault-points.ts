import type { Dice } from './dice.ts';

/**
 * Fault point: where a process kills itself. `query`: around a statement; `commit`: around the commit of a transaction
 * that contained such a statement; `packet`: around a UDP packet. `during` is right after sending, before any result is
 * known.
 */
interface Point {
  readonly at: 'query' | 'commit' | 'packet';
  /** Pattern of the statement or packet. */
  readonly like: RegExp;
  /** Required parameter value, if the text alone is ambiguous. */
  readonly value?: string;
  /** Only if the statement returned rows. */
  readonly withRows?: true;
  readonly when: readonly When[];
  /** The process dies at the nth pass, n from 1 to this. */
  readonly upTo: number;
}
export type When = 'before' | 'during' | 'after';

const ALL: readonly When[] = ['before', 'during', 'after'];

export const POINTS = {
  claim: { at: 'commit', like: /hot:end_batch/, when: ALL, upTo: 6 },
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

/** Fault points of post-call jobs, which chaos runs reach too rarely. */
const AFTER_CALL = {
  job_taken: { at: 'query', like: /update jobs j set attempt/, withRows: true, when: ['after'], upTo: 1 },
  job_given_up: { at: 'query', like: /update jobs j set due_at/, withRows: true, when: ['after'], upTo: 1 },
  job_done: { at: 'query', like: /^update "jobs" set "state"/, when: ['before'], upTo: 1 },
  analysis: { at: 'query', like: /^update "call_records" set "platform_analysis"/, when: ALL, upTo: 1 },
  analysis_kept: { at: 'commit', like: /^update "call_records" set "platform_analysis"/, when: ALL, upTo: 1 },
  tool_noted: { at: 'query', like: /insert into call_records .*tool_log/, when: ['before'], upTo: 1 },
} as const satisfies Record<string, Point>;
const EVERY = { ...POINTS, ...AFTER_CALL };

export type PointName = keyof typeof EVERY;

/** The fault of one process run: it dies at the nth pass of a point. */
export interface Fault {
  readonly point: PointName;
  readonly when: When;
  readonly nth: number;
}

export const pointOf = (name: PointName): Point => EVERY[name];
export const nameOf = (fault: Fault): string => `${fault.point}.${fault.when}`;

/** The last line of output of the dying process. */
export const DEATH_NOTICE = 'chaos: killed at ';

/** Yields faults that cover every point in turn; `density` below 1 lowers the pass counts for short runs. */
export function faultSequence(dice: Dice, density: number): () => Fault {
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

/** Environment variable that carries an encoded fault. */
export const FAULT_VARIABLE = 'CHAOS_FAULT';
export const encodeFault = (fault: Fault): string => `${fault.point}.${fault.when}.${fault.nth}`;
export function decodeFault(text: string | undefined): Fault | null {
  const [point = '', when = '', nth = ''] = (text ?? '').split('.');
  if (!Object.hasOwn(EVERY, point) || !ALL.includes(when as When)) return null;
  return { point: point as PointName, when: when as When, nth: Number(nth) };
}
