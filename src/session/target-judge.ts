import type { AnsweredKind } from '@callwright/turns';
import type { SampleRate } from '@callwright/audio';
import type { CallSpec } from './protocol.ts';
import { Hearing, type HearingDeps } from './hearing.ts';

/** A caller is never connected with one of these. A menu or a queue may be what the transfer is for. */
const MACHINES: ReadonlySet<AnsweredKind> = new Set(['voicemail', 'fax', 'sit']);

/** Talk of more than this may be the greeting of a machine: its words, or the tone after it, come within `VERDICT_MS`. */
const GREETING_MS = 1_500;
const VERDICT_MS = 1_200;

export interface TargetJudge {
  /** A frame of the target. */
  audio(pcm: Int16Array, at: number): void;
  /** The frame that the target heard, every 20 ms; null: silence. */
  sent(pcm: Int16Array | null, at: number): void;
  /** The target has talked as long as a greeting, until now: the verdict is still to come. */
  isPending(at: number): boolean;
  close(): void;
}

interface TargetCallbacks {
  readonly onMachine: (kind: AnsweredKind, at: number) => void;
  readonly onFault: HearingDeps['onFault'];
}

/** Judges who answered a transfer, with the rules for the callee of a call, until the caller is connected. */
export function judgeTarget(
  spec: Pick<CallSpec, 'agent'>,
  providers: HearingDeps['providers'],
  sampleRate: SampleRate,
  { onMachine, onFault }: TargetCallbacks,
  at: number,
): TargetJudge {
  let now = at;
  let wasSounding = false;
  let talkingSince: number | null = null;
  let [talkMs, talkedUntil] = [0, -Infinity];
  const hearing = new Hearing(spec, {
    providers,
    sampleRate,
    noiseFilter: null,
    press: () => undefined,
    onAnswered: ({ kind }) => {
      if (MACHINES.has(kind)) onMachine(kind, now);
    },
    onVendor: () => undefined,
    onEars: () => undefined,
    onFault,
    dispatch: (event) => {
      if (event.type === 'speech_started') talkingSince = event.since;
      if (event.type !== 'speech_stopped') return;
      talkMs += event.since - (talkingSince ?? event.since);
      [talkingSince, talkedUntil] = [null, event.since];
    },
  });
  hearing.detectMachines({ message: null, introduction: '' }, at);
  hearing.expect(null);
  return {
    audio: (pcm, heardAt) => {
      now = heardAt;
      hearing.audio(pcm, heardAt);
    },
    sent: (pcm, sentAt) => {
      now = sentAt;
      hearing.sent(pcm);
      hearing.tick(sentAt, wasSounding && pcm === null);
      wasSounding = pcm !== null;
    },
    isPending: (pendingAt) => {
      const current = talkingSince === null ? 0 : pendingAt - talkingSince;
      const isRecent = talkingSince !== null || pendingAt - talkedUntil < VERDICT_MS;
      return isRecent && talkMs + current >= GREETING_MS;
    },
    close: () => hearing.close(),
  };
}
