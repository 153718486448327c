import { parentPort } from 'node:worker_threads';
import { createLog } from '../shared/log.ts';
import { setThreadPriority } from '../shared/thread-priority.ts';
import { link } from '../shared/threads/remote.ts';
import { ControlPlane, type ControlSetup } from './control-plane.ts';
import type { CallsApi, ControlApi, Started } from './control-api.ts';
import { RemoteCalls } from './remote-calls.ts';
import { StartFailure } from './start-failure.ts';

// The control plane on a thread of its own, beside the calls of its process.
if (parentPort === null) throw new Error('control.thread.ts runs as a worker thread');
setThreadPriority('control');
const ends = link<CallsApi, never, ControlApi>(parentPort);
const calls = new RemoteCalls(ends.remote);
let plane: ControlPlane | null = null;
async function start(setup: ControlSetup, isLogPretty: boolean): Promise<Started> {
  const log = createLog({ level: setup.config.logLevel, pretty: isLogPretty });
  try {
    plane = new ControlPlane(setup, { log, calls });
    return { port: await plane.start() };
  } catch (error) {
    const isSetting = error instanceof StartFailure;
    if (!isSetting) log.error({ err: error }, 'the API and the jobs cannot start');
    return { fault: error instanceof Error ? error.message : String(error), isSetting };
  }
}

ends.serve({
  api: {
    start,
    stopPart: async (part) => plane?.stop(part),
    callSettled: () => plane?.callSettled(),
    watched: (watchId, event) => calls.watched(watchId, event),
  },
});
