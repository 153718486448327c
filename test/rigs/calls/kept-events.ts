import type { MainThread } from '../../../src/workers/call-host.ts';
import type { HostedCallEvents } from '../../../src/workers/call-media.ts';
import type { CallWorkerEvents } from '../../../src/workers/call-worker-api.ts';

type Events = CallWorkerEvents & HostedCallEvents;
interface KeptEvent {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** A main thread that keeps the events of its worker, those of calls without the call's id. */
export class KeptEvents {
  readonly list: KeptEvent[] = [];
  readonly main: MainThread;

  constructor() {
    const send = new Proxy(
      {},
      {
        get:
          (_target, name) =>
          (...args: unknown[]) =>
            void this.list.push({ name: String(name), args }),
      },
    );
    const part = { send, call: {} };
    this.main = { send, of: () => part } as unknown as MainThread;
  }

  get names(): readonly string[] {
    return this.list.map(({ name }) => name);
  }

  /** The arguments of every event of this name. */
  all<Name extends keyof Events>(name: Name): readonly Parameters<Events[Name]>[] {
    return this.list
      .filter((event) => event.name === name)
      .map(({ args }) => args as unknown as Parameters<Events[Name]>);
  }
}
