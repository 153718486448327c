import { parseArgs } from 'node:util';
import type { Attack } from './attacks/attack.ts';
import { besideCalls } from './attacks/beside-calls.ts';
import { startModel } from './attacks/servers.ts';
import { secrets } from './attacks/secrets.ts';
import { startWorld } from './attacks/service.ts';
import { soak } from './attacks/soak.ts';
import { strangersByHttp } from './attacks/strangers-http.ts';
import { strangersBySip } from './attacks/strangers-sip.ts';
import { strangersByWeb } from './attacks/strangers-web.ts';
import { tenantBodies } from './attacks/tenant-bodies.ts';
import { tenantChats } from './attacks/tenant-chats.ts';
import { tenantWork } from './attacks/tenant-work.ts';
import { throughCarrier } from './attacks/through-carrier.ts';
import { tollFraud } from './attacks/toll-fraud.ts';
import { saveResult } from './report.ts';

/**
 * Every attack of the security review against the running service, each alone and all at once, beside live calls and an
 * innocent client that is timed meanwhile. With `--soak`: all of them at once for long.
 */
const { values: args } = parseArgs({
  options: {
    /** Of each attack. */
    seconds: { type: 'string' },
    /** Attacks whose number or name has one of these texts, divided by commas; `web`: browser calls, chats, sign-in and reads. */
    only: { type: 'string', default: '' },
    /** Browser calls, chats, sign-in and reads alone, 12 s each: about six minutes. */
    short: { type: 'boolean', default: false },
    /** All attacks at once, none alone. */
    together: { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '30' },
    calls: { type: 'string', default: '50' },
    save: { type: 'boolean', default: false },
  },
});
/** Seconds of each attack. */
const [LONG, SHORT] = [15, 12];
/** In the soak the floods together have the rate that each has alone. */
const FLOODS = 3;
const web = [...strangersByWeb, ...tenantChats];
const all: readonly Attack[] = [
  ...strangersBySip,
  ...strangersByHttp,
  ...web,
  ...throughCarrier(startModel),
  ...tollFraud,
  ...tenantBodies,
  ...tenantWork,
  ...secrets,
];
const texts = args.only.split(',').filter((text) => text !== '' && text !== 'web');
const isWeb = args.short || args.only.split(',').includes('web');
const isNamed = ({ id, name }: Attack): boolean => texts.some((text) => `${id} ${name}`.includes(text));
const attacks = all.filter(
  (attack) => (texts.length === 0 && !isWeb) || isNamed(attack) || (isWeb && web.includes(attack)),
);
if (attacks.length === 0) throw new Error('--only names no attack');
const note = (text: string): void => void process.stderr.write(`${text}\n`);

const freePort = 5_900 + Math.floor(Math.random() * 100);
const world = await startWorld(freePort, args.soak ? 1 / FLOODS : 1);
// The service stops its database.
process.once('exit', () => world.service.child.kill('SIGTERM'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void world.service.dispose().finally(() => process.exit(130)));
}
try {
  const calls = Number(args.calls);
  const seconds = Number(args.seconds ?? (args.short ? SHORT : LONG));
  const { text, bounds } = args.soak
    ? await soak(world, attacks, { minutes: Number(args.minutes), calls, note })
    : await besideCalls(world, attacks, { seconds, calls, together: args.together, note });
  console.log(text);
  if (args.save) saveResult(args.soak ? 'attacks-soak' : 'attacks', text);
  process.exitCode = bounds.every(({ holds }) => holds) ? 0 : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await world.service.dispose();
}
process.exit();
