import { parentPort, workerData } from 'node:worker_threads';
import { createOfflineTts } from '../../offline/speech/tts.ts';
import { createVadProvider } from '../../providers/vad/provider.ts';
import { systemClock } from '../../shared/clock.ts';
import { link } from '../../shared/threads/remote.ts';
import { createLog } from '../../shared/log.ts';
import { type InboundLeg, answerOffer } from '@callwright/sip';
import { PortPool, RtpLeg, Wheel } from '@callwright/rtp';
import { createSignalling } from '../signalling.ts';
import { behaviourOf, type Behaviour } from './callee.ts';
import { CalleeLine, type CalleeEngines } from './callee-line.ts';
import { Recogniser } from '../../offline/callee/recogniser.ts';

/** Worker data of the carrier's thread. */
export interface CarrierData {
  logLevel: string;
  /** Ringing time before an answer. */
  ringMs: number;
}
/** The carrier, as the main thread reaches it. */
export interface CarrierApi {
  /** Its SIP port on 127.0.0.1. */
  port(): Promise<number>;
  stop(): void;
}

const ADDRESS = '127.0.0.1';
/** Limit of `tried`, which is cleared above it. */
const MAX_TRIED = 1000;

if (parentPort === null) throw new Error('carrier.thread.ts runs as a worker thread');
const parent = parentPort;
const data = workerData as CarrierData;
const clock = systemClock;
const log = createLog({ level: data.logLevel, pretty: false });
const wheel = new Wheel({ clock });
const ports = new PortPool({ range: null, clock });
const recogniser = new Recogniser({ log });
const engines: CalleeEngines = {
  clock,
  vad: createVadProvider(),
  // One process at a time: the service's own calls go first.
  tts: createOfflineTts({ processes: 1 }),
  recogniser,
  voiceKey: 'flite:rms',
};
const lines = new Set<CalleeLine>();
/** Numbers that answered 503 once; their next call is answered. */
const tried = new Set<string>();

const signalling = createSignalling({
  hosts: [ADDRESS],
  udpPort: 0,
  tcpPort: null,
  publicAddress: null,
  trunks: [
    {
      id: 'service',
      name: 'service',
      uri: `sip:${ADDRESS}`,
      username: null,
      password: null,
      register: false,
      transport: 'udp',
      allowedSources: [],
    },
  ],
  clock,
  log,
  probeIntervalMs: null,
});

function onInbound(leg: InboundLeg): void {
  const behaviour = behaviourOf(leg.to);
  switch (behaviour) {
    case 'busy':
      leg.listen(noEvents);
      leg.reject(486);
      return;
    case 'not_found':
      leg.listen(noEvents);
      leg.reject(404);
      return;
    case 'rings_out':
      leg.listen(noEvents);
      leg.ringing();
      return;
    case 'unavailable_once':
      if (!tried.has(leg.to)) {
        if (tried.size >= MAX_TRIED) tried.clear();
        tried.add(leg.to);
        leg.listen(noEvents);
        leg.reject(503);
        return;
      }
      tried.delete(leg.to);
      answerAfterRinging(leg, 'cooperative');
      return;
    case 'voicemail':
    case 'silent':
    case 'leaves':
    case 'screening':
    case 'cooperative':
      answerAfterRinging(leg, behaviour);
      return;
    default:
      behaviour satisfies never;
  }
}

const noEvents = {
  onAnswered: () => undefined,
  onFailed: () => undefined,
  onEnded: () => undefined,
  onReoffer: () => null,
  onDtmf: () => undefined,
};

function answerAfterRinging(leg: InboundLeg, behaviour: Behaviour): void {
  let line: CalleeLine | null = null;
  let over = false;
  const end = (): void => {
    over = true;
    const ended = line;
    line = null;
    if (ended === null) return;
    lines.delete(ended);
    void ended.close();
  };
  leg.listen({
    ...noEvents,
    onFailed: end,
    onEnded: end,
    onReoffer: () => null,
  });
  leg.ringing();
  setTimeout(() => {
    if (over) return;
    takeCall(leg, behaviour, () => over).then(
      (taken) => {
        if (taken === null) return;
        line = taken;
        lines.add(taken);
        if (over) end();
        else taken.start(clock.now());
      },
      (error: unknown) => {
        log.warn({ err: error }, 'Test carrier refused a call: no RTP port');
        leg.reject(503);
      },
    );
  }, data.ringMs);
}

async function takeCall(
  leg: InboundLeg,
  behaviour: Behaviour,
  isOver: () => boolean,
): Promise<CalleeLine | null> {
  const media = await RtpLeg.open({ ports, address: ADDRESS, wheel, clock, log });
  const outcome = answerOffer(leg.sdpOffer ?? '', {
    address: ADDRESS,
    port: media.port,
    sessionId: Math.floor(clock.now() / 1000),
    version: 1,
  });
  if (isOver() || !outcome.accepted) {
    await media.close();
    if (!isOver()) leg.reject(488);
    return null;
  }
  media.update(outcome.media);
  const line = new CalleeLine(behaviour, media, engines, () => leg.hangup('normal'));
  leg.answer(outcome.answer);
  return line;
}

async function stop(): Promise<void> {
  await signalling.stop();
  await Promise.all([...lines].map((line) => line.close()));
  await Promise.all([recogniser.close(), engines.tts.close()]);
  wheel.stop();
  parent.close();
}

signalling.onInbound(onInbound);
await signalling.start();
wheel.start();
const listening = signalling.health().listening[0] ?? '';
link<object, never, CarrierApi>(parent).serve({
  api: { port: () => Number(listening.split(':').at(-1)), stop: () => void stop() },
});
