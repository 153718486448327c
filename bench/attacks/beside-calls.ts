import { percentile } from '../conversation/run.ts';
import { heading, table, type Bound, boundsText } from '../report.ts';
import { Report, sleep, untilStopped, yieldProcessor, type Attack } from './attack.ts';
import { HeldCalls } from './held-calls.ts';
import { Innocent, type Measured } from './innocent.ts';
import type { LongestStep } from './loop-steps.ts';
import { resourcesOf, type Resources, type World } from './service.ts';

/** Bound of the innocent client's 99th percentile, on a quiet machine. */
const INNOCENT_MS = 250;
/** Bound of the packets' 99th percentile, as a multiple of that without an attack. */
const PACKETS_RATIO = 1.5;
/** Of the live calls, this share is on the carrier that measures packets, the rest on the built-in one. */
const MEASURED_SHARE = 0.2;
/** The quiet window has so many times the length of an attack: all others are compared with it. */
const QUIET_WINDOWS = 2;
/** In the run of all attacks together, the floods have the rate that each has alone. */
const FLOODS = 3;
/** Connections close, and the garbage of a flood is collected. */
const SETTLE_MS = 1_500;
/** Buffers and the heap's reserve after floods, and connections that the service keeps open. */
const MEMORY = { ratio: 1.3, mb: 150 };
const DESCRIPTORS = 60;

export interface BesideCallsOptions {
  readonly seconds: number;
  /** Live calls of the innocent workspace. */
  readonly calls: number;
  /** Only the run of all at once. */
  readonly together: boolean;
  readonly note: (text: string) => void;
}

/** What one attack did to the others. */
interface Row {
  readonly name: string;
  readonly seconds: number;
  readonly report: Report;
  readonly measured: Measured;
  /** Calls of the other workspace that ended without a cause of their own. */
  readonly cut: readonly string[];
  readonly longestStep: LongestStep;
  readonly mayStepMs: number | null;
  readonly before: Resources;
  readonly after: Resources;
}

const QUIET = 'none (the calls and the innocent client alone)';

/** Each attack alone and then all at once, beside live calls and an innocent client of another workspace. */
export async function besideCalls(
  world: World,
  attacks: readonly Attack[],
  { seconds, calls, together, note }: BesideCallsOptions,
): Promise<{ text: string; bounds: readonly Bound[] }> {
  const onCarrier = Math.max(1, Math.round(calls * MEASURED_SHARE));
  const innocent = new Innocent(world.innocent);
  await innocent.ready();
  const held = new HeldCalls(world.innocent, world.metricsPort);
  await held.start(onCarrier, calls - onCarrier);
  const live = await held.live();
  note(`${live} calls are live`);
  yieldProcessor();
  await sleep(5_000);
  const one = async (
    name: string,
    ms: number,
    running: (report: Report, stop: AbortSignal) => Promise<unknown>,
    mayStepMs: number | null,
  ): Promise<Row> => {
    const report = new Report();
    await held.check();
    const known = held.cut.length;
    const before = resourcesOf(world.target.pid);
    const stop = new AbortController();
    await innocent.take();
    const from = { at: performance.now(), date: Date.now() };
    const attack = running(report, stop.signal);
    await Promise.race([sleep(ms), attack.then(() => sleep(ms))]);
    const measured = await innocent.take();
    const took = (performance.now() - from.at) / 1000;
    stop.abort();
    await attack;
    await sleep(SETTLE_MS);
    await held.check();
    const whole = mayStepMs === null ? [{ from: from.date, to: from.date + took * 1000 }] : [];
    const longestStep = world.steps.longest(report.marks.length > 0 ? report.marks : whole);
    const row = {
      name,
      seconds: took,
      report,
      measured,
      longestStep,
      mayStepMs,
      before,
      cut: held.cut.slice(known),
      after: resourcesOf(world.target.pid),
    };
    note(lineOf(row));
    return row;
  };
  const ms = seconds * 1000;
  const quiet = await one(QUIET, ms * QUIET_WINDOWS, async () => undefined, null);
  const rows: Row[] = [];
  for (const attack of together ? [] : attacks) {
    const run = (report: Report, stop: AbortSignal): Promise<void> =>
      untilStopped(attack, world.target, report, stop);
    rows.push(await one(`${attack.id} ${attack.name}`, ms, run, attack.longestStepMs ?? null));
  }
  if (attacks.length > 1) {
    const target = { ...world.target, floodShare: 1 / FLOODS };
    const all = (report: Report, stop: AbortSignal): Promise<unknown> =>
      Promise.all(attacks.map((attack) => untilStopped(attack, target, report, stop)));
    rows.push(await one('all of these at once', ms * QUIET_WINDOWS, all, null));
  }
  await held.stop();
  await innocent.stop();
  await sleep(3_000);
  const end = resourcesOf(world.target.pid);
  const bounds = boundsOf(quiet, rows, { live, calls, end });
  const title = `${seconds} s each against the running service with its own database, from other processes on this machine, beside ${calls} live calls (${onCarrier} of them measured at the receiver); beside them an innocent client (GET history, POST call, and OPTIONS by UDP and TCP and INVITE from the carrier)`;
  const text = [
    heading('Attacks', title),
    table(
      HEAD,
      [quiet, ...rows].map((row) => cellsOf(row, quiet)),
    ),
    boundsText(bounds),
    ...rows.flatMap(findings).map((line) => `- ${line}`),
  ].join('\n');
  return { text, bounds };
}

const p99 = (times: readonly number[]): number => percentile(times, 0.99);
const packets = ({ measured }: Row): number => p99(measured.intervals);
const stepText = ({ longestStep: { clockMs, processorMs } }: Row): string =>
  `${clockMs.toFixed(1)} / ${processorMs.toFixed(1)}`;
const slowest = ({ measured }: Row): number => Math.max(p99(measured.api), p99(measured.sip));

const HEAD = [
  'attack',
  'a second',
  'calls cut',
  'API p50 / p99 ms',
  'SIP p50 / p99 ms',
  'packets p99 ms (of quiet)',
  'longest step ms, clock / processor',
  'answers',
  'obtained',
  'memory MB, before → after',
  'descriptors',
];

function cellsOf(row: Row, quiet: Row): string[] {
  const { report, measured, before, after } = row;
  const pair = (times: readonly number[]): string =>
    `${percentile(times, 0.5).toFixed(0)} / ${p99(times).toFixed(0)}`;
  return [
    row.name,
    (report.sent / row.seconds).toFixed(0),
    String(row.cut.length),
    pair(measured.api),
    pair(measured.sip),
    `${packets(row).toFixed(1)} (${(packets(row) / packets(quiet)).toFixed(2)})`,
    stepText(row),
    [...report.answers].map(([kind, count]) => `${kind}: ${count}`).join(', '),
    findings(row).length === 0 ? 'nothing' : 'see below',
    `${before.rssMb} → ${after.rssMb}`,
    `${before.descriptors} → ${after.descriptors}`,
  ];
}

const lineOf = (row: Row): string =>
  `${row.name}: ${(row.report.sent / row.seconds).toFixed(0)}/s, ${row.cut.length} calls cut, API p99 ${p99(row.measured.api).toFixed(0)} ms, SIP p99 ${p99(row.measured.sip).toFixed(0)} ms, packets p99 ${packets(row).toFixed(1)} ms, longest step ${stepText(row)} ms, ${row.before.rssMb} → ${row.after.rssMb} MB, ${row.before.descriptors} → ${row.after.descriptors} descriptors; ${[...row.report.answers].map(([kind, count]) => `${kind}: ${count}`).join(', ')}; ${findings(row).join('; ')}`;

/** The bounds that the attack broke: what it reached, and what it did to other tenants. */
function findings({ name, report, measured, cut }: Row): string[] {
  const failed = [...new Set(measured.failures)];
  return [
    ...report.leaks,
    ...measured.dialled.map((number) => `dialled ${number}`),
    ...(failed.length === 0 ? [] : [`requests of the innocent client failed: ${failed.join(', ')}`]),
    ...cut.map((call) => `cut ${call}`),
  ].map((found) => `${name}: ${found}`);
}

/** A bound that holds for every row; figures that are not numbers break it. */
function each(rows: readonly Row[], text: string, of: (row: Row) => number, most: number): Bound {
  const broken = rows.filter((row) => !(of(row) <= most));
  const named = broken.map((row) => `${row.name} (${of(row).toFixed(2)})`).join('; ');
  return { text: `${text}${broken.length === 0 ? '' : `; not: ${named}`}`, holds: broken.length === 0 };
}

function boundsOf(
  quiet: Row,
  rows: readonly Row[],
  { live, calls, end }: { readonly live: number; readonly calls: number; readonly end: Resources },
): Bound[] {
  const { before } = quiet;
  const stepped = rows.filter(({ mayStepMs }) => mayStepMs !== null);
  const mostMb = before.rssMb * MEMORY.ratio + MEMORY.mb;
  return [
    { text: `${calls} calls are live when the attacks begin (${live})`, holds: live >= calls },
    each(rows, 'no call of another workspace is cut', ({ cut }) => cut.length, 0),
    each([quiet, ...rows], `the innocent client's p99 is at most ${INNOCENT_MS} ms`, slowest, INNOCENT_MS),
    each(
      rows,
      `packets arrive within ${PACKETS_RATIO} times the interval without attacks at p99`,
      (row) => packets(row) / packets(quiet),
      PACKETS_RATIO,
    ),
    ...stepped.map((row) =>
      each(
        [row],
        `${row.name}: the worker's longest step is at most ${row.mayStepMs} ms by the clock (clock / processor: ${stepText(row)})`,
        (of) => of.longestStep.clockMs,
        row.mayStepMs ?? 0,
      ),
    ),
    each(
      rows,
      'nothing leaks, nothing closed is dialled, no innocent request fails',
      (row) => findings(row).length,
      0,
    ),
    {
      text: `memory returns (${before.rssMb} MB before, ${end.rssMb} MB after all, at most ${mostMb.toFixed(0)})`,
      holds: end.rssMb <= mostMb,
    },
    {
      text: `descriptors return (${before.descriptors} before, ${end.descriptors} after all)`,
      holds: end.descriptors <= before.descriptors + DESCRIPTORS,
    },
  ];
}
