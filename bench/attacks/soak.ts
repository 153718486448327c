import { percentile } from '../conversation/run.ts';
import { boundsText, heading, table, type Bound } from '../report.ts';
import { Report, sleep, untilStopped, yieldProcessor, type Attack } from './attack.ts';
import { HeldCalls } from './held-calls.ts';
import { Innocent, type Measured } from './innocent.ts';
import { gaugeOf, resourcesOf, type Resources, type World } from './service.ts';

/** Of the live calls, this share is on the measuring carrier, the rest on the built-in one. */
const MEASURED_SHARE = 0.2;
const PACKET_MS = 25;
/** Memory may settle in the first part of the run. */
const WARM_SHARE = 0.3;

export interface SoakOptions {
  readonly minutes: number;
  readonly calls: number;
  readonly note: (text: string) => void;
}

interface Minute {
  readonly minute: number;
  readonly measured: Measured;
  readonly resources: Resources;
}

/** All attacks at once beside live calls, in one-minute windows. */
export async function soak(
  world: World,
  attacks: readonly Attack[],
  { minutes, calls, note }: SoakOptions,
): Promise<{ text: string; bounds: readonly Bound[] }> {
  const onCarrier = Math.max(1, Math.round(calls * MEASURED_SHARE));
  const innocent = new Innocent(world.innocent);
  await innocent.ready();
  const held = new HeldCalls(world.innocent, world.metricsPort);
  await held.start(onCarrier, calls - onCarrier);
  await sleep(5_000);
  await innocent.take();
  const start = resourcesOf(world.target.pid);
  note(
    `${await held.live()} calls are live; ${start.rssMb} MB, ${start.descriptors} descriptors; ${attacks.length} attacks begin`,
  );
  yieldProcessor();
  const stop = new AbortController();
  const reports = attacks.map(() => new Report());
  const running = attacks.map((attack, at) => untilStopped(attack, world.target, reports[at]!, stop.signal));
  const windows: Minute[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    await Promise.race([sleep(60_000), Promise.all(running)]);
    const measured = await innocent.take();
    const resources = resourcesOf(world.target.pid);
    windows.push({ minute, measured, resources });
    const [tick, loop] = await Promise.all(
      ['callwright_late_tick_p99_ms', 'callwright_late_signalling_p99_ms'].map((name) =>
        gaugeOf(world.metricsPort, name),
      ),
    );
    note(
      `minute ${minute}: packets p99 ${percentile(measured.intervals, 0.99).toFixed(1)} ms, API p99 ${percentile(measured.api, 0.99).toFixed(0)} ms, SIP p99 ${percentile(measured.sip, 0.99).toFixed(0)} ms, late tick ${tick} ms, late signalling ${loop?.toFixed(0)} ms, ${measured.live} of ${onCarrier} measured calls live, ${resources.rssMb} MB, ${resources.descriptors} descriptors, ${reports.reduce((sum, { sent }) => sum + sent, 0)} requests of attackers; ${reports.flatMap(({ leaks }) => leaks).join('; ')}`,
    );
  }
  stop.abort();
  await Promise.all(running);
  await held.stop();
  const rest = await innocent.take();
  await innocent.stop();
  await sleep(3_000);
  const end = resourcesOf(world.target.pid);
  const intervals = windows.flatMap(({ measured }) => measured.intervals);
  const p99 = percentile(intervals, 0.99);
  // Connections come and go with the attacks: a median of minutes at the beginning beside one of minutes at the end.
  const settled = windows.slice(Math.floor(windows.length * WARM_SHARE));
  const half = Math.ceil(settled.length / 2);
  const typical = (part: readonly Minute[], of: (resources: Resources) => number): number =>
    percentile(
      part.map(({ resources }) => of(resources)),
      0.5,
    );
  const flat = (of: (resources: Resources) => number): readonly [number, number] => [
    typical(settled.slice(0, half), of),
    typical(settled.slice(-half), of),
  ];
  const [warmMb, lastMb] = flat(({ rssMb }) => rssMb);
  const [warmDescriptors, lastDescriptors] = flat(({ descriptors }) => descriptors);
  const leaks = reports.flatMap(({ leaks: found }, at) =>
    found.map((leak) => `${attacks[at]?.id} ${attacks[at]?.name}: ${leak}`),
  );
  const dialled = [...windows.map(({ measured }) => measured), rest].flatMap((measured) => measured.dialled);
  const failures = windows.flatMap(({ measured }) => measured.failures);
  const bounds: Bound[] = [
    {
      text: `packets of live calls arrive within ${PACKET_MS} ms of each other at p99 (${p99.toFixed(1)} ms)`,
      holds: p99 <= PACKET_MS,
    },
    {
      text: `no call was cut (${held.cut.length} of ${calls + held.ended}, of which ${held.ended} ended by themselves and were replaced)${held.cut.length === 0 ? '' : `: ${held.cut.slice(0, 5).join(', ')}`}`,
      holds: held.cut.length === 0,
    },
    {
      text: `memory is flat (${warmMb} MB warm, ${lastMb} MB at the end)`,
      holds: lastMb <= warmMb * 1.15 + 20,
    },
    {
      text: `descriptors are flat (${warmDescriptors} warm, ${lastDescriptors} at the end, ${start.descriptors} before the attacks, ${end.descriptors} after)`,
      holds: lastDescriptors <= warmDescriptors * 1.2 + 50,
    },
    { text: 'nothing leaked and nothing closed was dialled', holds: leaks.length + dialled.length === 0 },
  ];
  const text = [
    heading(
      'Attacks: soak',
      `${attacks.length} attacks at once for ${minutes} minutes beside ${calls} live calls (${onCarrier} of them measured at the receiver)`,
    ),
    table(
      [
        'minute',
        'packets p50 / p99 / p99.9 ms',
        'API p50 / p99 ms',
        'SIP p50 / p99 ms',
        'innocent failures',
        'memory MB',
        'descriptors',
      ],
      windows.map(({ minute, measured: m, resources }) => [
        String(minute),
        [0.5, 0.99, 0.999].map((p) => percentile(m.intervals, p).toFixed(1)).join(' / '),
        [0.5, 0.99].map((p) => percentile(m.api, p).toFixed(0)).join(' / '),
        [0.5, 0.99].map((p) => percentile(m.sip, p).toFixed(0)).join(' / '),
        String(m.failures.length),
        String(resources.rssMb),
        String(resources.descriptors),
      ]),
    ),
    table(
      ['review', 'attack', 'sent', 'answers'],
      attacks.map((attack, at) => [
        attack.id,
        attack.name,
        String(reports[at]?.sent),
        [...(reports[at]?.answers ?? [])].map(([kind, n]) => `${kind}: ${n}`).join(', '),
      ]),
    ),
    boundsText(bounds),
    ...leaks.map((leak) => `- ${leak}`),
    ...dialled.map((number) => `- dialled ${number}`),
    ...[...new Set(failures)].map((failure) => `- innocent request failed: ${failure}`),
  ].join('\n');
  return { text, bounds };
}
