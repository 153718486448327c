import type { TtsProvider } from '../../../src/providers/ports/voice.ts';
import type { VadProvider } from '../../../src/providers/ports/recogniser.ts';
import type { Room } from './room.ts';
import { answerVirtualCall } from './virtual-session.ts';

export interface RoomCall {
  readonly vad: VadProvider;
  readonly room: Room;
  /** The agent's sentences, played in order whatever their text. */
  readonly agent: readonly Int16Array[];
  /** What the caller says, and when after the answer. */
  readonly caller: readonly { readonly atMs: number; readonly pcm: Int16Array }[];
  /** The caller cannot interrupt the first message. */
  readonly mutesIntro?: boolean;
  /** The call is ended at this time. */
  readonly endMs: number;
}

/** How a call in a room went. */
export interface RoomResult {
  readonly interruptions: number;
  /** Lines that were taken for the caller's, with the times of their sound after the answer. */
  readonly heard: readonly { readonly text: string; readonly startMs: number; readonly endMs: number }[];
  /** Starts of the agent's lines. */
  readonly spoke: readonly number[];
}

/** Holds a call with a phone in a room; a recogniser returns words for every sound that the session gives it as speech. */
export async function roomCall({
  vad,
  room,
  agent,
  caller,
  endMs,
  mutesIntro,
}: RoomCall): Promise<RoomResult> {
  const call = answerVirtualCall({
    agent: {
      introMessage:
        'I am calling about your appointment. It is on Tuesday at ten. Please tell me whether it suits you.',
      idleWarningSeconds: 0,
      muteDuringIntro: mutesIntro ?? false,
      idleEndSeconds: 60,
    },
    llm: { replies: ['All right, thank you.'] },
    stt: { finals: ['wait a moment please'], repeat: true, partialMs: 250 },
    speaker: prepared(agent),
    vad,
    room,
  });
  for (const { atMs, pcm } of caller) call.time.after(atMs, () => call.person.say(pcm));
  await call.time.advance(endMs);
  call.session.remoteHangup(call.time.now());
  const { transcript, interruptions, startedAt } = await call.result();
  const lines = (role: string) => transcript.filter((line) => line.role === role);
  return {
    interruptions,
    heard: lines('caller').map((line) => ({
      text: line.text,
      startMs: line.startedAt - startedAt,
      endMs: line.endedAt - startedAt,
    })),
    spoke: lines('agent').map((line) => line.startedAt - startedAt),
  };
}

/** A speaker of prepared sentences. */
function prepared(sentences: readonly Int16Array[]): TtsProvider {
  let next = 0;
  return {
    name: 'prepared',
    open: () => ({
      begin: () => {
        let isCancelled = false;
        return {
          say: (_text, onEvent) => {
            const pcm = sentences[next++ % sentences.length] ?? new Int16Array(0);
            queueMicrotask(() => {
              if (isCancelled) return;
              onEvent({ type: 'audio', pcm: pcm.slice() });
              onEvent({ type: 'done' });
            });
          },
          end: () => undefined,
          cancel: () => {
            isCancelled = true;
          },
        };
      },
      close: () => undefined,
    }),
    close: () => Promise.resolve(),
  };
}
