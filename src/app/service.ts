import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { App } from '../app.ts';
import { refuseOwned } from './data-folder.ts';
import { StartFailure } from './start-failure.ts';
import { strayErrors } from './stray-errors.ts';
import { loadConfig } from '../config.ts';
import { ProvisionFailure } from '../domain/provision/provision.ts';
import { createLog, type Log } from '../shared/log.ts';

/**
 * Runs the service: settings, start, signals, drain. Exit codes: 0 clean stop, 1 start failed, 2 a start that fails again
 * with the same settings: they are invalid, or another process owns DATA_DIR.
 */
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
  const isTerminal = process.stdout.isTTY;
  const log = createLog({ level: config.logLevel, pretty: isTerminal });
  try {
    await refuseOwned(resolve(config.dataDir));
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    process.stderr.write(`The service cannot start: ${error.message}\n`);
    process.exit(error.exitCode);
  }
  // Loaded now, so that a start which is refused costs a supervisor that repeats it little.
  const { createApp } = await import('../app.ts');
  const app = createApp(config, { log, isTerminal, nodeName: hostname() });

  let signals = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    signals++;
    if (signals > 2) {
      log.warn({ signal }, 'third signal: exiting immediately');
      process.exit(130);
    }
    if (signals === 2) {
      log.warn({ signal }, 'second signal: live calls are hung up; a third signal exits immediately');
      process.exitCode = 130;
      const exit = (): void => process.exit(130);
      app.stop().then(exit, exit);
      return;
    }
    log.info({ signal }, 'draining: no new calls, live calls finish; a second signal hangs them up');
    app.drainAndStop().then(
      () => {
        log.info({ signal }, 'stopped: live calls have ended, and everything is stored');
        process.exit(process.exitCode ?? 0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'the service did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  // In a terminal it means that the terminal was closed.
  process.on('SIGHUP', isTerminal ? onSignal : reloadWith(app, log));

  try {
    const report = await app.start();
    for (const line of report) process.stdout.write(`${line}\n`);
    process.on(
      'uncaughtException',
      strayErrors({ log, drainAndStop: () => app.drainAndStop(), exit: (code) => process.exit(code) }),
    );
    log.info({ startMs: Math.round(performance.now() - startedAt) }, 'ready');
  } catch (error) {
    const isKnown = error instanceof ProvisionFailure || error instanceof StartFailure;
    if (!isKnown) log.fatal({ err: error }, 'the service cannot start');
    process.stderr.write(
      `The service cannot start: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    await app.stop().catch(() => undefined);
    if (error instanceof ProvisionFailure) process.exit(2);
    process.exit(error instanceof StartFailure ? error.exitCode : 1);
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
