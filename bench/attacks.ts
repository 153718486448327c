import { parseArgs } from 'node:util';
import { sleep, Report, yieldProcessor, type Attack } from './attacks/attack.ts';
import { Innocent } from './attacks/innocent.ts';
import { startModel } from './attacks/servers.ts';
import { secrets } from './attacks/secrets.ts';
import { resourcesOf, startWorld } from './attacks/service.ts';
import { soak } from './attacks/soak.ts';
import { strangersByHttp } from './attacks/strangers-http.ts';
import { strangersBySip } from './attacks/strangers-sip.ts';
import { strangersByWeb } from './attacks/strangers-web.ts';
import { tenantBodies } from './attacks/tenant-bodies.ts';
import { tenantWork } from './attacks/tenant-work.ts';
import { throughCarrier } from './attacks/through-carrier.ts';
import { tollFraud } from './attacks/toll-fraud.ts';
import { percentile } from './conversation/run.ts';
import { boundsText, heading, saveResult, table, type Bound } from './report.ts';

/**
 * Every attack of the security review against the running service, one after another, beside an innocent client that is
 * timed meanwhile. With `--soak`: all of them at once beside live calls.
 */
const { values: args } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    only: { type: 'string', default: '' },
    soak: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '30' },
    calls: { type: 'string', default: '50' },
    save: { type: 'boolean', default: false },
  },
});
/** Bound of the innocent client's 99th percentile, on a quiet machine. */
const INNOCENT_MS = 250;
/** In the soak the floods together have the rate that each has alone. */
const FLOODS = 3;
const SETTLE_MS = 1_500;
const attacks: readonly Attack[] = [
  ...strangersBySip,
  ...strangersByHttp,
  ...strangersByWeb,
  ...throughCarrier(startModel),
  ...tollFraud,
  ...tenantBodies,
  ...tenantWork,
  ...secrets,
].filter(({ id, name }) => `${id} ${name}`.includes(args.only));
const note = (text: string): void => void process.stderr.write(`${text}\n`);

const freePort = 5_900 + Math.floor(Math.random() * 100);
const world = await startWorld(freePort, args.soak ? 1 / FLOODS : 1);
// The service stops its database.
process.once('exit', () => world.service.child.kill('SIGTERM'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void world.service.dispose().finally(() => process.exit(130)));
}
try {
  const text = args.soak
    ? await soak(world, attacks, { minutes: Number(args.minutes), calls: Number(args.calls), note })
    : await oneByOne();
  console.log(text.text);
  if (args.save) saveResult(args.soak ? 'attacks-soak' : 'attacks', text.text);
  process.exitCode = text.bounds.every(({ holds }) => holds) ? 0 : 1;
} finally {
  await world.service.dispose();
}
process.exit();

async function oneByOne(): Promise<{ text: string; bounds: readonly Bound[] }> {
  const innocent = new Innocent(world.innocent);
  await innocent.ready();
  await sleep(3_000);
  await innocent.take();
  await sleep(Number(args.seconds) * 1_000);
  const quiet = await innocent.take();
  yieldProcessor();
  const ms = (times: readonly number[], p: number): string => percentile(times, p).toFixed(0);
  const rows = [
    [
      '',
      'none (the innocent client alone)',
      '',
      ms(quiet.api, 0.5),
      ms(quiet.api, 0.99),
      ms(quiet.sip, 0.5),
      ms(quiet.sip, 0.99),
      '',
      '',
      '',
    ],
  ];
  const slow: string[] = [];
  const found: string[] = [];
  const before = resourcesOf(world.target.pid);
  for (const attack of attacks) {
    const report = new Report();
    const own = resourcesOf(world.target.pid);
    const stop = new AbortController();
    const from = performance.now();
    await innocent.take();
    const running = attack.run(world.target, report, stop.signal);
    await Promise.race([sleep(Number(args.seconds) * 1_000), running]);
    const during = await innocent.take();
    const seconds = (performance.now() - from) / 1_000;
    stop.abort();
    await running;
    await sleep(SETTLE_MS);
    const after = resourcesOf(world.target.pid);
    const answers = [...report.answers].map(([kind, count]) => `${kind}: ${count}`).join(', ');
    const p99 = Math.max(percentile(during.api, 0.99), percentile(during.sip, 0.99));
    const name = `${attack.id} ${attack.name}`;
    if (!(p99 <= INNOCENT_MS)) slow.push(`${name} (${p99.toFixed(0)} ms)`);
    if (during.failures.length > 0)
      found.push(`${name}: the innocent client failed: ${[...new Set(during.failures)].join(', ')}`);
    for (const leak of report.leaks) found.push(`${name}: ${leak}`);
    for (const number of during.dialled) found.push(`${name}: dialled ${number}`);
    rows.push([
      attack.id,
      attack.name,
      (report.sent / seconds).toFixed(0),
      ms(during.api, 0.5),
      ms(during.api, 0.99),
      ms(during.sip, 0.5),
      ms(during.sip, 0.99),
      answers,
      report.leaks.length + during.dialled.length === 0 ? 'nothing' : 'see below',
      `${own.rssMb} → ${after.rssMb} MB, ${own.descriptors} → ${after.descriptors}`,
    ]);
    note(
      `${name}: ${(report.sent / seconds).toFixed(0)}/s, API p99 ${ms(during.api, 0.99)} ms, SIP p99 ${ms(during.sip, 0.99)} ms; ${answers}; ${report.leaks.join('; ')} ${during.failures.join(', ')}`,
    );
  }
  await innocent.stop();
  const last = resourcesOf(world.target.pid);
  const bounds = [
    {
      text: `the innocent client's p99 is at most ${INNOCENT_MS} ms${slow.length === 0 ? '' : `, not beside ${slow.join('; ')}`}`,
      holds: slow.length === 0,
    },
    {
      text: 'nothing leaks, nothing closed is dialled, no innocent request fails',
      holds: found.length === 0,
    },
    {
      text: `descriptors return (${before.descriptors} before, ${last.descriptors} after all)`,
      holds: last.descriptors <= before.descriptors + 40,
    },
  ];
  const text = [
    heading(
      'Attacks',
      `${args.seconds} s each against the running service with its own database, from other processes on this machine; beside them an innocent client (GET history, POST call, and OPTIONS by UDP and TCP and INVITE from the carrier)`,
    ),
    table(
      [
        'review',
        'attack',
        'a second',
        'API p50 ms',
        'API p99 ms',
        'SIP p50 ms',
        'SIP p99 ms',
        'answers',
        'obtained',
        'memory and descriptors, before → after',
      ],
      rows,
    ),
    boundsText(bounds),
    ...found.map((line) => `- ${line}`),
  ].join('\n');
  return { text, bounds };
}
