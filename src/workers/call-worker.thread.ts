import { parentPort, workerData } from 'node:worker_threads';
import { warmUp } from '../session/warm-up.ts';
import { noiseFilterAvailable } from '../providers/noise/speex.ts';
import { brainOf, createProviders, type ProviderChoice } from '../providers/choose/installation.ts';
import type { ConnectSpeech } from '../offline/speech/speech-api.ts';
import type { ConnectEar } from '../offline/words/ear-api.ts';
import { VendorHealths } from '../providers/wire/health.ts';
import { Probes } from '../providers/wire/probes.ts';
import { alignedMs } from '../shared/aligned.ts';
import { createScheduler } from '../shared/clock.ts';
import { FreeSpace } from '../shared/free-space.ts';
import { KnowledgeIndexes } from '../shared/knowledge/knowledge-index.ts';
import { createLog } from '../shared/log.ts';
import { ServiceClock } from '../shared/service-clock.ts';
import { setHelperPriority, setThreadPriority } from '../shared/thread-priority.ts';
import { moved } from '../shared/threads/moved.ts';
import { link, type Serves } from '../shared/threads/remote.ts';
import type { VendorFault, VendorPart } from '../shared/vendor-fault.ts';
import { PortPool, type PortRange, RtpLeg, Wheel } from '@callwright/rtp';
import { StreamLeg } from '../telephony/carriers/stream-leg.ts';
import { WebLeg } from '../telephony/web/web-leg.ts';
import { CallHost } from './call-host.ts';
import { ChosenProviders } from '../providers/choose/open.ts';
import type { HostedCallApi, HostedCallEvents } from './call-media.ts';
import type { CallWorkerApi, CallWorkerEvents } from './call-worker-api.ts';

export interface CallWorkerData {
  /** Address RTP binds to. */
  rtpAddress: string;
  /** This worker's share of the port range; null: ephemeral ports. */
  rtpPorts: PortRange | null;
  /** Root of the recordings' paths. */
  recordingsDir: string;
  /** Recordings and event logs stop while their disk has less than this many bytes left. */
  diskFloorBytes: number;
  logLevel: string;
  /** Private addresses where an agent's own model may run: SAFE_FETCH_ALLOW. */
  fetchAllow: readonly string[];
  mediaTimeoutMs: number;
  /** Of the process's `ServiceClock`; absent: this thread keeps a time of its own. */
  clockOffset?: SharedArrayBuffer;
  providers: ProviderChoice;
  /** Shared by the workers of the process (`Probes`); absent: this worker's own. */
  probes?: SharedArrayBuffer;
}

const LOAD_REPORT_MS = 1000;
/** From the second report without calls on. */
const IDLE_LOAD_REPORT_MS = 3000;

if (parentPort === null) throw new Error('call-worker.thread.ts runs as a worker thread');
const port = parentPort;
const data = workerData as CallWorkerData;
const ends = link<CallWorkerEvents, HostedCallEvents, CallWorkerApi, HostedCallApi>(port);
const main = ends.remote;

const clock = new ServiceClock(data.clockOffset);
const scheduler = createScheduler(clock);
const log = createLog({ level: data.logLevel, pretty: false });
const wheel = new Wheel({ clock });
const ports = new PortPool({ range: data.rtpPorts, clock });
const probes = new Probes(data.probes);
const healths = new VendorHealths(
  (part, fault, broken) => main.send.vendorFault(part, fault, broken),
  probes,
);
const connectSpeech: ConnectSpeech = (speech) => main.send.speech(moved(speech));
const connectEar: ConnectEar = (ear, model) => main.send.ear(moved(ear), model);
const providers = await createProviders(data.providers, log, { connectSpeech, connectEar }, healths);
const chosen = new ChosenProviders(providers, data.fetchAllow, {
  log,
  onFault: (part, fault) => main.send.vendorFault(part, fault, null),
  onBroken: (account, fault) => main.send.accountBroken(account, fault),
  probes,
});

class CallWorker extends CallHost implements Serves<CallWorkerApi> {
  passVendorOver(part: VendorPart, name: string, fault: VendorFault): void {
    healths.of(part).passOver(name, fault);
  }

  passAccountOver(account: string, fault: VendorFault): void {
    chosen.passOver(account, fault);
  }

  stop(): void {
    void this.close().then(() => port.close());
  }

  override async close(): Promise<void> {
    clearTimeout(loadTimer);
    await super.close();
    await Promise.all([
      providers.stt.close(),
      providers.tts.close(),
      providers.llm.close(),
      providers.turn?.close(),
      chosen.close(),
    ]);
    wheel.stop();
  }
}

const { rtpAddress: address, mediaTimeoutMs } = data;
const worker = new CallWorker({
  providers,
  chosen,
  indexes: new KnowledgeIndexes(),
  scheduler,
  clock,
  log,
  recordingsDir: data.recordingsDir,
  space: new FreeSpace(data.recordingsDir, data.diskFloorBytes),
  openLeg: ({ sampleRate, opus = false, host = address }) =>
    RtpLeg.open({ ports, address: host, wheel, clock, log, mediaTimeoutMs, sampleRate, opus }),
  openWebLeg: (events) => new WebLeg({ wheel, clock, scheduler, events }),
  openStreamLeg: (events, kind) => new StreamLeg({ wheel, clock, scheduler, events, ...kind }),
  freePairs: () => ports.free,
  main,
});

setThreadPriority('audio');
setHelperPriority('audio');
// Loads and compiles now: while calls run, either would delay their audio.
noiseFilterAvailable();
warmUp(await brainOf({ llm: 'offline' }));

/** Processor time of this thread so far, ms. */
function threadProcessorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

let recogniserFault: string | undefined;
function reportRecogniser(): void {
  const fault = providers.stt.fault?.() ?? null;
  if (fault?.message === recogniserFault) return;
  recogniserFault = fault?.message;
  main.send.recogniser(fault);
}

let processorMs = threadProcessorMs();
let wasIdle = false;
let loadTimer = setTimeout(reportLoad, LOAD_REPORT_MS);
function reportLoad(): void {
  const before = processorMs;
  processorMs = threadProcessorMs();
  worker.chargeProcessor(processorMs - before);
  reportRecogniser();
  chosen.sweep();
  const { calls, freePairs } = worker;
  main.send.load({ calls, rtpPortsInUse: ports.inUse, lateTickP99Ms: wheel.lateness().p99Ms }, freePairs);
  const isIdle = calls === 0;
  loadTimer = setTimeout(reportLoad, isIdle && wasIdle ? alignedMs(IDLE_LOAD_REPORT_MS) : LOAD_REPORT_MS);
  wasIdle = isIdle;
}
wheel.start();
reportRecogniser();
ends.serve({ api: worker, part: (callId) => worker.call(callId) });
const { vad, stt, tts, llm } = providers;
main.send.ready({ vad: vad.name, stt: stt.name, tts: tts.name, llm: llm.name }, worker.freePairs);
