import { parentPort, type MessagePort } from 'node:worker_threads';
import { createLog } from '../shared/log.ts';
import { setThreadPriority } from '../shared/thread-priority.ts';
import { ControlPlane, type ControlPart } from './control-plane.ts';
import type { FromControl, ToControl } from './control-protocol.ts';
import { RemoteCalls } from './remote-calls.ts';
import { StartFailure } from './start-failure.ts';

// The control plane on a thread of its own, beside the calls of its process.
if (parentPort === null) throw new Error('control.thread.ts runs as a worker thread');
setThreadPriority('control');
const port = parentPort;
const send = (message: FromControl, transfer: readonly MessagePort[] = []): void =>
  port.postMessage(message, transfer);
const calls = new RemoteCalls(send);
let plane: ControlPlane | null = null;

async function start({ setup, isLogPretty }: Extract<ToControl, { type: 'start' }>): Promise<void> {
  const log = createLog({ level: setup.config.logLevel, pretty: isLogPretty });
  try {
    plane = new ControlPlane(setup, { log, calls });
    send({ type: 'started', port: await plane.start() });
  } catch (error) {
    const isSetting = error instanceof StartFailure;
    if (!isSetting) log.error({ err: error }, 'the API and the jobs cannot start');
    const message = error instanceof Error ? error.message : String(error);
    send({ type: 'failed', message, isSetting });
  }
}

async function stop(part: ControlPart): Promise<void> {
  await plane?.stop(part);
  send({ type: 'stopped', part });
}

port.on('message', (message: ToControl) => {
  switch (message.type) {
    case 'start':
      void start(message);
      return;
    case 'answer':
    case 'event':
      calls.receive(message);
      return;
    case 'settled':
      plane?.callSettled();
      return;
    case 'ping':
      send({ type: 'pong' });
      return;
    case 'stop':
      void stop(message.part);
      return;
    default:
      message satisfies never;
  }
});
