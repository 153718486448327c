import { hostname } from 'node:os';
import { createApp, type App } from '../app.ts';
import { StartFailure } from './start-failure.ts';
import { strayErrors } from './stray-errors.ts';
import { loadConfig } from '../config.ts';
import { ProvisionFailure } from '../domain/provision/provision.ts';
import { createLog, type Log } from '../shared/log.ts';

/** Runs the service: settings, start, signals, drain. Exit codes: 0 clean stop, 1 start failed, 2 invalid settings. */
export async function runService(): Promise<void> {
  const startedAt = performance.now();
  const loaded = loadConfig(process.env);
  for (const warning of loaded.warnings) process.stderr.write(`warning: ${warning}\n`);
  if (!loaded.ok) {
    process.stderr.write(
      `Invalid settings:\n${loaded.problems.map((problem) => `  - ${problem}`).join('\n')}\n` +
        'config.example.env lists every setting with its default.\n',
    );
    process.exitCode = 2;
    return;
  }
  const { config } = loaded;
  const isLogPretty = process.stdout.isTTY;
  const log = createLog({ level: config.logLevel, pretty: isLogPretty });
  const app = createApp(config, { log, isLogPretty, nodeName: hostname() });

  let signals = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    signals++;
    if (signals > 1) {
      log.warn({ signal }, 'second signal: exiting immediately');
      process.exit(130);
    }
    log.info({ signal }, 'draining: no new calls, live calls finish; a second signal exits immediately');
    app.drainAndStop().then(
      () => process.exit(process.exitCode ?? 0),
      (error: unknown) => {
        log.error({ err: error }, 'the service did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  // In a terminal it means that the terminal was closed.
  process.on('SIGHUP', process.stdout.isTTY ? onSignal : reloadWith(app, log));

  try {
    const report = await app.start();
    for (const line of report) process.stdout.write(`${line}\n`);
    process.on(
      'uncaughtException',
      strayErrors({ log, drainAndStop: () => app.drainAndStop(), exit: (code) => process.exit(code) }),
    );
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

/** The handler that applies the provision file again, one signal after the other. */
function reloadWith(app: App, log: Log): () => void {
  let last: Promise<void> = Promise.resolve();
  return () => {
    log.info({}, 'SIGHUP: applying the provision file again');
    last = last.then(async () => {
      for (const line of await app.reload()) process.stdout.write(`${line}\n`);
    });
  };
}
