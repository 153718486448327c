import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { CarrierFigures } from './carrier.ts';
import type { InnocentSettings } from './service.ts';

/** What the innocent client measured in one window. Times in ms. */
export interface Measured extends CarrierFigures {
  readonly api: number[];
  readonly sip: number[];
  readonly failures: string[];
}

/** The innocent client's process. */
export class Innocent {
  readonly #child: ChildProcess;
  constructor(settings: InnocentSettings) {
    this.#child = fork(join(import.meta.dirname, 'innocent-process.ts'), {
      env: { ...process.env, INNOCENT: JSON.stringify(settings) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    process.once('exit', () => this.#child.kill('SIGKILL'));
  }

  /** Resolves once it sends requests. */
  ready(): Promise<void> {
    return this.#next().then(() => undefined);
  }

  /** What it measured since the last time. */
  async take(): Promise<Measured> {
    const answer = this.#next();
    this.#child.send('take');
    return (await answer) as Measured;
  }

  async stop(): Promise<void> {
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.send('stop');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await exited;
    clearTimeout(timer);
  }

  #next(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void =>
        reject(new Error(`the innocent client ended with ${code}`));
      this.#child.once('exit', ended);
      this.#child.once('message', (message) => {
        this.#child.off('exit', ended);
        resolve(message);
      });
    });
  }
}
