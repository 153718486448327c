import type { MediaSink } from '@callwright/rtp';

/** What a phone's microphone picks up beside its owner. */
export interface Room {
  /** The loudspeaker comes back: from our frame to its return, and its level; `walls`: with reflections. */
  readonly echo?: { readonly delayMs: number; readonly db: number; readonly walls?: boolean };
  /** Sound of the room, repeated: a television, other people. */
  readonly sound?: Int16Array;
}

const PER_MS = 8;
/** A frame needs this long to the phone and back. */
const LINE_MS = 40;

/** Reflections: later and quieter than the direct sound. */
const WALLS = [
  [0, 1],
  [7 * PER_MS, 0.5],
  [19 * PER_MS, -0.32],
  [37 * PER_MS, 0.2],
] as const;

/** A phone in a room: adds echo and room sound to what its owner says. */
export function inRoom(phone: MediaSink, { echo, sound }: Room): MediaSink {
  const gain = echo === undefined ? 0 : 10 ** (echo.db / 20);
  const delay = Math.max(0, (echo?.delayMs ?? 0) - LINE_MS) * PER_MS;
  const paths = echo?.walls === true ? WALLS : WALLS.slice(0, 1);
  const received: number[] = [];
  let played = 0;
  let heard = 0;
  return {
    ...phone,
    onAudio: (pcm, timestamp, concealed, at) => {
      if (gain > 0) for (const sample of pcm) received.push(sample);
      phone.onAudio(pcm, timestamp, concealed, at);
    },
    fill: (out, at) => {
      if (!phone.fill(out, at)) out.fill(0);
      for (let i = 0; i < out.length; i++) {
        const now = received.length - out.length + i - delay;
        let back = 0;
        for (const [later, share] of paths) back += gain * share * (received[now - later] ?? 0);
        const room = sound === undefined ? 0 : (sound[heard++ % sound.length] ?? 0);
        out[i] = Math.max(-32_768, Math.min(32_767, (out[i] ?? 0) + back + room));
      }
      played += 1;
      return played > 0;
    },
  };
}
