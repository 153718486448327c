import { hostname } from 'node:os';
import { createApp } from './app.ts';
import { StartFailure } from './app/start-failure.ts';
import { loadConfig } from './config.ts';
import { ProvisionFailure } from './domain/provision/provision.ts';
import { createLog } from './shared/log.ts';

/** Runs the service: settings, start, signals, drain. Exit codes: 0 in order, 1 cannot start, 2 bad settings. */
async function main(): Promise<void> {
  const startedAt = performance.now();
  const loaded = loadConfig(process.env);
  for (const warning of loaded.warnings) process.stderr.write(`warning: ${warning}\n`);
  if (!loaded.ok) {
    process.stderr.write(
      `The settings are not usable:\n${loaded.problems.map((problem) => `  - ${problem}`).join('\n')}\n` +
        'config.example.env lists every setting with its default.\n',
    );
    process.exitCode = 2;
    return;
  }
  const { config } = loaded;
  const log = createLog({ level: config.logLevel, pretty: process.stdout.isTTY });
  const app = createApp(config, { log, nodeName: hostname() });

  let signals = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    signals++;
    if (signals > 1) {
      log.warn({ signal }, 'second signal: ending at once');
      process.exit(130);
    }
    log.info({ signal }, 'draining: no new calls, live ones finish; a second signal ends at once');
    app.drainAndStop().then(
      () => process.exit(process.exitCode ?? 0),
      (error: unknown) => {
        log.error({ err: error }, 'the service did not stop in order');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);

  try {
    const report = await app.start();
    for (const line of report) process.stdout.write(`${line}\n`);
    log.info({ startMs: Math.round(performance.now() - startedAt) }, 'ready');
  } catch (error) {
    const isSetting = error instanceof ProvisionFailure;
    if (!isSetting && !(error instanceof StartFailure)) log.fatal({ err: error }, 'the service cannot start');
    process.stderr.write(
      `The service cannot start: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    await app.stop().catch(() => undefined);
    process.exit(isSetting ? 2 : 1);
  }
}

await main();
