import { join, relative } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { optOutSense } from '../providers/llm/offline/opt-out-sense.ts';
import { openNoiseFilter } from '../providers/noise/speex.ts';
import { createProviders, type ProviderChoice, type Providers } from '../providers/registry.ts';
import { CallSession } from '../session/call-session.ts';
import { DiskRoom } from '../session/disk-room.ts';
import { Recorder } from '../session/recorder.ts';
import { firstWords } from '../session/settings.ts';
import { KnowledgeIndexes } from '../shared/knowledge/knowledge-index.ts';
import { systemClock } from '../shared/clock.ts';
import { createLog } from '../shared/log.ts';
import { PortPool, type PortRange } from '../telephony/rtp/port-pool.ts';
import { RtpLeg } from '../telephony/rtp/rtp-leg.ts';
import { Wheel } from '../telephony/rtp/wheel.ts';
import { OwnModels } from './own-models.ts';
import type { CallSpec, FromWorker, ToWorker } from './protocol.ts';

/** What a call worker is started with. */
export interface CallWorkerData {
  /** Address RTP binds to. */
  rtpAddress: string;
  /** This worker's share of the range; null: whatever the system gives. */
  rtpPorts: PortRange | null;
  /** Recordings are written below it, at the paths of their calls. */
  recordingsDir: string;
  /** Recordings stop where less than so many bytes are left on their disk. */
  recordingsKeepFree: number;
  logLevel: string;
  /** Inner places that an agent's own model may be at: SAFE_FETCH_ALLOW. */
  fetchAllow: readonly string[];
  mediaTimeoutMs: number;
  providers: ProviderChoice;
}

interface Call {
  readonly leg: RtpLeg;
  session: CallSession | null;
  finishing: boolean;
  /** The request that a second leg is opened for; null: none is wanted. */
  bridgeRequest: number | null;
  target: RtpLeg | null;
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
const calls = new Map<string, Call>();
const indexes = new KnowledgeIndexes();
const room = new DiskRoom(data.recordingsDir, data.recordingsKeepFree);
const providers: Providers = await createProviders(data.providers);
const models = new OwnModels(data.fetchAllow);

/** Pairs being bound: the main thread still counts them among those it asked for. */
let opening = 0;
const freePairs = (): number => ports.free + opening;

async function openLeg(): Promise<RtpLeg> {
  opening += 1;
  try {
    const { rtpAddress: address, mediaTimeoutMs } = data;
    return await RtpLeg.open({ ports, address, wheel, clock, log, mediaTimeoutMs });
  } finally {
    opening -= 1;
  }
}

const refuse = (requestId: number, error: unknown): void =>
  send({
    type: 'allocation_failed',
    requestId,
    message: error instanceof Error ? error.message : String(error),
    freePairs: freePairs(),
  });
const allocated = (requestId: number, leg: RtpLeg): void =>
  send({ type: 'allocated', requestId, port: leg.port, freePairs: freePairs() });

async function allocate(requestId: number, callId: string): Promise<void> {
  try {
    const leg = await openLeg();
    calls.set(callId, { leg, session: null, finishing: false, bridgeRequest: null, target: null });
    allocated(requestId, leg);
  } catch (error) {
    refuse(requestId, error);
  }
}

/** The second leg of a call, on the thread of the first so that sound goes straight from one to the other. */
async function openBridge(requestId: number, callId: string, briefing: string): Promise<void> {
  const call = calls.get(callId);
  if (call === undefined || call.finishing || call.session === null || call.bridgeRequest !== null) {
    return refuse(requestId, 'the call takes no second leg now');
  }
  call.bridgeRequest = requestId;
  try {
    const target = await openLeg();
    if (call.bridgeRequest !== requestId || call.finishing) {
      await target.close();
      return refuse(requestId, 'the second leg is not wanted any more');
    }
    call.target = target;
    call.session.openBridge(target, briefing);
    return allocated(requestId, target);
  } catch (error) {
    if (call.bridgeRequest === requestId) call.bridgeRequest = null;
    return refuse(requestId, error);
  }
}

function closeBridge(callId: string): void {
  const call = calls.get(callId);
  if (call === undefined) return;
  call.bridgeRequest = null;
  call.session?.closeBridge();
  void call.target?.close();
  call.target = null;
}

function answered(call: Call, spec: CallSpec, at: number): void {
  const own = spec.llm?.own ?? null;
  const live = (event: Extract<FromWorker, { type: 'live' }>['event']): void =>
    send({ type: 'live', callId: spec.callId, event });
  const rate = call.leg.sampleRate;
  let recorder: Recorder | null = null;
  if (spec.recordingPath !== null) {
    const path = join(data.recordingsDir, spec.recordingPath);
    const failed = (error: Error): void =>
      live({ type: 'notice', code: 'RECORDING_FAILED', message: error.message });
    recorder = new Recorder(path, rate, failed, room);
  }
  const { noiseSuppression } = spec.agent;
  call.session = new CallSession(spec, {
    providers: own === null ? providers : { ...providers, llm: models.of(own) },
    leg: call.leg,
    recorder,
    noiseFilter: noiseSuppression === null ? null : openNoiseFilter(rate, noiseSuppression),
    indexes,
    now: () => clock.now(),
    onLive: live,
    onTalk: (news) => send({ type: 'talk', callId: spec.callId, news }),
    optOutSense,
    onOptOut: () => send({ type: 'opted_out', callId: spec.callId }),
    onTool: (request) => send({ type: 'tool', callId: spec.callId, request }),
    onBridge: (event) => send({ type: 'bridge', callId: spec.callId, event }),
    onHangup: (reason) => {
      send({ type: 'hangup', callId: spec.callId, reason });
      void finish(spec.callId);
    },
  });
  call.session.start(at);
}

function begin(call: Call, spec: CallSpec, at: number): void {
  if (call.finishing) return;
  try {
    answered(call, spec, at);
  } catch (error) {
    log.error({ err: error, callId: spec.callId }, 'a conversation could not begin');
    send({ type: 'hangup', callId: spec.callId, reason: 'FAILED' });
    void finish(spec.callId);
  }
}

/** Closes the session and its leg, then reports; a call is finished once. */
async function finish(callId: string): Promise<void> {
  const call = calls.get(callId);
  if (call === undefined || call.finishing) return;
  call.finishing = true;
  // Let the event that ended the call run to its end first.
  await Promise.resolve();
  const result = await call.session?.finish();
  await Promise.all([call.leg.close(), call.target?.close()]);
  calls.delete(callId);
  if (result === undefined) return;
  const { recording } = result;
  const stored =
    recording === null ? null : { ...recording, path: relative(data.recordingsDir, recording.path) };
  send({ type: 'finished', callId, result: { ...result, recording: stored } });
}

async function stop(): Promise<void> {
  clearInterval(loadTimer);
  await Promise.all(
    [...calls].map(async ([callId, call]) => {
      if (call.session === null) await call.leg.close();
      else {
        call.session.requestEnd('USER_TERMINATED', null);
        await finish(callId);
      }
    }),
  );
  await Promise.all([providers.stt.close(), providers.tts.close(), providers.llm.close(), models.close()]);
  wheel.stop();
  send({ type: 'stopped' });
  port.close();
}

port.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'allocate':
      void allocate(message.requestId, message.callId);
      return;
    case 'media': {
      const call = calls.get(message.callId);
      call?.leg.update(message.media);
      call?.session?.hold(message.media.direction !== 'sendrecv', clock.now());
      return;
    }
    case 'prepare': {
      const { agent, llm } = message.spec;
      if (llm?.own != null) void models.load();
      const sampleRate = calls.get(message.callId)?.leg.sampleRate;
      const first = firstWords(message.spec);
      if (sampleRate === undefined || first === '') return;
      const { voiceKey, language, voiceSpeed: speed } = agent;
      providers.tts.warm?.({ voiceKey, language, speed, sampleRate }, first);
      return;
    }
    case 'answered': {
      const call = calls.get(message.callId);
      if (call === undefined || call.session !== null) return;
      if (message.spec.llm?.own == null || models.isLoaded) begin(call, message.spec, message.at);
      else void models.load().then(() => begin(call, message.spec, message.at));
      return;
    }
    case 'remote_hangup': {
      const call = calls.get(message.callId);
      if (call?.session == null) void finish(message.callId);
      else call.session.remoteHangup(message.at);
      return;
    }
    case 'end':
      calls.get(message.callId)?.session?.requestEnd(message.reason, message.say);
      return;
    case 'dtmf_received':
      calls.get(message.callId)?.session?.onDtmf(message.digit, message.at);
      return;
    case 'tool_result':
      calls.get(message.callId)?.session?.toolResult(message.requestId, message.outcome);
      return;
    case 'bridge_open':
      void openBridge(message.requestId, message.callId, message.briefing);
      return;
    case 'bridge_media':
      calls.get(message.callId)?.target?.update(message.media);
      return;
    case 'bridge_answered':
      calls.get(message.callId)?.session?.bridgeAnswered(message.at);
      return;
    case 'bridge_dtmf':
      calls.get(message.callId)?.leg.sendDtmf([message.digit]);
      return;
    case 'bridge_close':
      closeBridge(message.callId);
      return;
    case 'release': {
      const call = calls.get(message.callId);
      if (call !== undefined && call.session === null) void finish(message.callId);
      return;
    }
    case 'stop':
      void stop();
      return;
    default:
      message satisfies never;
  }
});

const loadTimer = setInterval(() => {
  send({
    type: 'load',
    calls: calls.size,
    rtpPortsInUse: ports.inUse,
    lateTickP99Ms: wheel.lateness().p99Ms,
    freePairs: freePairs(),
  });
}, LOAD_REPORT_MS);
wheel.start();
send({
  type: 'ready',
  engines: {
    vad: providers.vad.name,
    stt: providers.stt.name,
    tts: providers.tts.name,
    llm: providers.llm.name,
  },
  freePairs: freePairs(),
});
