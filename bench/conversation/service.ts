import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/shared/log.ts';

/**
 * The whole program with fake models of set delays, as the system under measurement: database, HTTP, SIP, RTP,
 * codec, Silero, recording, events. Providers come in the environment as JSON.
 */
const loaded = loadConfig(process.env);
if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
const ringMs = process.env['BENCH_RING_MS'];
const app = createApp(loaded.config, {
  log: createLog({ level: loaded.config.logLevel, pretty: false }),
  nodeName: 'bench',
  ...(ringMs === undefined ? {} : { testCarrierRingMs: Number(ringMs) }),
  providers: JSON.parse(process.env['BENCH_PROVIDERS'] ?? '{}'),
});
process.on('SIGTERM', () => {
  void app.stop().then(() => process.exit(0));
});
await app.start();
process.stdout.write(`ready ${app.url}\n`);
