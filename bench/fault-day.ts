import { parseArgs } from 'node:util';
import { percentile } from './conversation/run.ts';
import { liveThrough, type Day, type Window } from './fault-day/day.ts';
import { startWorld } from './fault-day/world.ts';
import { boundsText, heading, saveResult, table, type Bound } from './report.ts';

/**
 * One day with every fault, one after another, beside calls, chats and campaigns of three tenants: the database away, the disk
 * full, the host's clock moved, a call worker stuck, a model and a receiver that answer nothing. Afterwards nothing may be
 * lost, nothing may have happened twice, and the tenant without a fault may have noticed none.
 */
const { values: args } = parseArgs({ options: { contacts: { type: 'string', default: '200' } } });
const BACK_MS = 10_000;
const API_MS = 250;
/** How much slower than before the faults another tenant's API and reactions may be. */
const SLOWER = 1.5;
const REACTION_MS = 100;

const from = performance.now();
const note = (text: string): void =>
  void process.stderr.write(
    `${new Date().toISOString().slice(11, 19)}  ${((performance.now() - from) / 1000).toFixed(0).padStart(4)} s  ${text}\n`,
  );
const world = await startWorld();
process.once('exit', () => world.service.child.kill('SIGTERM'));
let day: Day;
try {
  day = await liveThrough(world, Number(args.contacts), note);
} catch (error) {
  const last = world.service.output().split('\n').slice(-40);
  note(last.map((line) => line.slice(0, 300)).join('\n'));
  throw error;
} finally {
  await world.close();
}
const [before] = day.windows;
if (before === undefined) throw new Error('nothing was measured');
const bounds = boundsOf(day, before);
const text = [
  heading(
    'Fault day',
    `One run of ${day.minutes.toFixed(1)} minutes of the bundled program, with its data folder on a separate disk and its database behind a proxy; three tenants, each with a campaign of ${args.contacts} contacts and two pages that chat, one of them with ten held calls, two conversations and an API client, one with callers who ring`,
  ),
  table(
    [
      'time of day',
      'API p50 / p99 ms',
      'failed requests',
      'reaction p50 / p95 ms',
      'packets p99 ms',
      'chat answers p50 / worst ms',
      'callers answered',
      'back after s',
    ],
    day.windows.map((window) => rowOf(day, window)),
  ),
  boundsText(bounds),
  '',
  day.findings.length === 0
    ? 'Nothing was lost and nothing happened twice: every contact was rung once, every chat line answered once, every event accepted once or waiting for the dead receiver alone, and balance, ledger and costs agree.'
    : day.findings.map((finding) => `- ${finding}`).join('\n'),
].join('\n');
console.log(text);
saveResult('faults', text);
process.exit(bounds.every(({ holds }) => holds) ? 0 : 1);

function reactionsIn({ talks }: Day, window: Window): number[] {
  return talks.talks
    .filter(({ from: begun, until }) => begun >= window.from && begun < window.until && until > window.from)
    .flatMap(({ reactions }) => reactions);
}

function rowOf(of: Day, window: Window): string[] {
  const { name, measured } = window;
  const isIn = ({ at }: { readonly at: number }): boolean => at >= window.from && at < window.until;
  const pair = (times: readonly number[], ...ranks: readonly number[]): string =>
    times.length === 0 ? '–' : ranks.map((rank) => percentile(times, rank).toFixed(0)).join(' / ');
  const waits = of.done.flatMap(({ chats }) =>
    chats.turns.filter(isIn).flatMap(({ waitedMs }) => waitedMs ?? []),
  );
  const callers = world.carrier.calls.filter(isIn);
  const answered = callers.filter(({ refusal }) => refusal === null).length;
  const back = of.back.get(name);
  return [
    name,
    pair(measured.api, 0.5, 0.99),
    String(measured.failures.length),
    pair(reactionsIn(of, window), 0.5, 0.95),
    percentile(measured.intervals, 0.99).toFixed(1),
    pair(waits, 0.5, 1),
    `${answered} of ${callers.length}`,
    back === undefined ? '' : (back / 1000).toFixed(1),
  ];
}

function boundsOf(of: Day, calm: Window): Bound[] {
  const judged = of.windows.filter(({ fault }) => fault === null || fault.isHidden);
  const reactionBefore = percentile(reactionsIn(of, calm), 0.95);
  const apiBefore = percentile(calm.measured.api, 0.99);
  const most = Math.max(API_MS, apiBefore * SLOWER);
  const slowApi = judged.filter(({ measured }) => percentile(measured.api, 0.99) > most);
  const slowTalk = judged.filter((window) => {
    const reactions = reactionsIn(of, window);
    return reactions.length > 0 && percentile(reactions, 0.95) > reactionBefore * SLOWER + REACTION_MS;
  });
  const failed = judged.filter(({ measured }) => measured.failures.length > 0);
  const badTalks = of.talks.talks.filter(({ outcome }) => !['AGENT_ENDED', 'USER_LEFT'].includes(outcome));
  const begunIn = ({ from: begun }: { readonly from: number }): string =>
    of.windows.find(({ from, until }) => begun >= from && begun < until)?.name ?? 'between two faults';
  const refused = world.carrier.calls.filter(({ refusal }) => refusal !== null);
  const slowest = Math.max(...of.back.values());
  const closes = of.done.flatMap(({ chats }) => chats.closes).filter((code) => code !== 1000);
  const names = (windows: readonly Window[]): string =>
    windows.length === 0 ? '' : `, not during "${windows.map(({ name }) => name).join('", "')}"`;
  return [
    { text: 'nothing lost, nothing twice', holds: of.findings.length === 0 },
    {
      text: `no held call was cut (${of.held.cut.length}${of.held.cut.length === 0 ? '' : `: ${of.held.cut.slice(0, 4).join(', ')}`})`,
      holds: of.held.cut.length === 0,
    },
    {
      text: `each of the ${of.talks.talks.length} conversations ended by its own words${badTalks.length === 0 ? '' : `, not ${badTalks.map((talk) => `${talk.outcome} (begun: ${begunIn(talk)})`).join(', ')}`}`,
      holds: badTalks.length === 0,
    },
    {
      text: `callers are answered, also without the database (${refused.length} of ${world.carrier.calls.length} were not)${refused.length === 0 ? '' : `: ${[...new Set(refused.map(({ refusal }) => refusal))].join(', ')}`}`,
      holds: refused.length === 0,
    },
    {
      text: `no page's connection was closed (${closes.length})${closes.length === 0 ? '' : `: ${[...new Set(closes)].join(', ')}`}`,
      holds: closes.length === 0,
    },
    {
      text: `the innocent API client's p99 is at most ${most.toFixed(0)} ms while the database is there${names(slowApi)}`,
      holds: slowApi.length === 0,
    },
    { text: `and none of its requests fails${names(failed)}`, holds: failed.length === 0 },
    {
      text: `reactions of the innocent tenant at p95 are at most ${SLOWER} times those before, plus ${REACTION_MS} ms, except on a stuck worker${names(slowTalk)}`,
      holds: slowTalk.length === 0,
    },
    {
      text: `requests are served again within ${BACK_MS / 1000} s of a fault (${(slowest / 1000).toFixed(1)} s)`,
      holds: slowest <= BACK_MS,
    },
    {
      text: `everything under way ended after the day (${(of.last.ms / 1000).toFixed(0)} s)`,
      holds: of.last.isQuiet,
    },
  ];
}
