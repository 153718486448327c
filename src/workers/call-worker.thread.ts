import { parentPort, workerData } from 'node:worker_threads';
import { noiseFilterAvailable } from '../providers/noise/speex.ts';
import { createProviders, type ProviderChoice } from '../providers/choose/installation.ts';
import type { ConnectSpeech } from '../offline/speech/speech-protocol.ts';
import { VendorHealths } from '../providers/wire/health.ts';
import { Probes } from '../providers/wire/probes.ts';
import { FreeSpace } from '../session/free-space.ts';
import { createScheduler, systemClock } from '../shared/clock.ts';
import { KnowledgeIndexes } from '../shared/knowledge/knowledge-index.ts';
import { createLog } from '../shared/log.ts';
import { setThreadPriority } from '../shared/thread-priority.ts';
import { PortPool, type PortRange, RtpLeg, Wheel } from '@callwright/rtp';
import { WebLeg } from '../telephony/web/web-leg.ts';
import { CallHost } from './call-host.ts';
import { ChosenProviders } from '../providers/choose/open.ts';
import { OwnModels } from './own-models.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

export interface CallWorkerData {
  /** Address RTP binds to. */
  rtpAddress: string;
  /** This worker's share of the port range; null: ephemeral ports. */
  rtpPorts: PortRange | null;
  /** Root of the recordings' paths. */
  recordingsDir: string;
  /** Recordings stop while their disk has less than this many bytes left. */
  recordingsKeepFree: number;
  logLevel: string;
  /** Private addresses where an agent's own model may run: SAFE_FETCH_ALLOW. */
  fetchAllow: readonly string[];
  mediaTimeoutMs: number;
  providers: ProviderChoice;
  /** Shared by the workers of the process (`Probes`); absent: this worker's own. */
  probes?: SharedArrayBuffer;
}

const LOAD_REPORT_MS = 1000;

if (parentPort === null) throw new Error('call-worker.thread.ts runs as a worker thread');
const port = parentPort;
const data = workerData as CallWorkerData;
const send = (message: FromWorker): void => port.postMessage(message);

const clock = systemClock;
const log = createLog({ level: data.logLevel, pretty: false });
const wheel = new Wheel({ clock });
const ports = new PortPool({ range: data.rtpPorts, clock });
const probes = new Probes(data.probes);
const healths = new VendorHealths(
  (part, fault, broken) => send({ type: 'vendor_fault', part, fault, broken }),
  probes,
);
const connectSpeech: ConnectSpeech = (speech) => {
  port.postMessage({ type: 'speech', port: speech } satisfies FromWorker, [speech]);
};
const providers = await createProviders(data.providers, log, connectSpeech, healths);
const models = new OwnModels(data.fetchAllow);
const chosen = new ChosenProviders(providers, data.fetchAllow, {
  log,
  onFault: (part, fault) => send({ type: 'vendor_fault', part, fault, broken: null }),
  onBroken: (account, fault) => send({ type: 'account_broken', account, fault }),
  probes,
});
const { rtpAddress: address, mediaTimeoutMs } = data;
const host = new CallHost({
  providers,
  models,
  chosen,
  indexes: new KnowledgeIndexes(),
  scheduler: createScheduler(clock),
  log,
  recordingsDir: data.recordingsDir,
  space: new FreeSpace(data.recordingsDir, data.recordingsKeepFree),
  openLeg: () => RtpLeg.open({ ports, address, wheel, clock, log, mediaTimeoutMs }),
  openWebLeg: (events) => new WebLeg({ wheel, clock, events }),
  freePairs: () => ports.free,
  send,
});

async function stop(): Promise<void> {
  clearInterval(loadTimer);
  await host.stop();
  await Promise.all([
    providers.stt.close(),
    providers.tts.close(),
    providers.llm.close(),
    providers.turn?.close(),
    models.close(),
    chosen.close(),
  ]);
  wheel.stop();
  send({ type: 'stopped' });
  port.close();
}

setThreadPriority('audio');
// Loads the library now: while calls run, its load would delay their audio.
noiseFilterAvailable();
port.on('message', (message: ToWorker) => {
  if (message.type === 'stop') void stop();
  else if (message.type === 'vendor_broken') healths.of(message.part).passOver(message.name, message.fault);
  else if (message.type === 'account_broken') chosen.passOver(message.account, message.fault);
  else host.receive(message);
});

let recogniserFault: string | undefined;
function reportRecogniser(): void {
  const fault = providers.stt.fault?.() ?? null;
  if (fault?.message === recogniserFault) return;
  recogniserFault = fault?.message;
  send({ type: 'recogniser', fault });
}

const loadTimer = setInterval(() => {
  reportRecogniser();
  chosen.sweep();
  send({
    type: 'load',
    calls: host.calls,
    rtpPortsInUse: ports.inUse,
    lateTickP99Ms: wheel.lateness().p99Ms,
    freePairs: host.freePairs,
  });
}, LOAD_REPORT_MS);
wheel.start();
reportRecogniser();
send({
  type: 'ready',
  engines: {
    vad: providers.vad.name,
    stt: providers.stt.name,
    tts: providers.tts.name,
    llm: providers.llm.name,
  },
  freePairs: host.freePairs,
});
