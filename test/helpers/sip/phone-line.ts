import { type DtmfDigit, peak } from '@callwright/audio';
import type { MediaLeg, MediaSink } from '@callwright/rtp';

/** Audio of a phone: records received frames and plays given ones. */
export interface PhoneLine {
  /** Received audio, 8 kHz. */
  heard(): Int16Array;
  /** Received 20 ms frames, without concealed ones. */
  frames(): readonly Int16Array[];
  /** Milliseconds of received sound, and milliseconds since the last frame with sound. */
  soundMs(): number;
  quietMs(): number;
  readonly keys: DtmfDigit[];
  say(pcm: Int16Array): void;
  press(...digits: DtmfDigit[]): void;
}

/** Peak level above which a frame counts as sound. */
const LOUD = 300;
const FRAME = 160;

/** `keys` collects the received digits, including those from signalling. */
export function phoneLine(
  media: Pick<MediaLeg, 'sendDtmf'>,
  keys: DtmfDigit[] = [],
  now: () => number = Date.now,
): { line: PhoneLine; sink: MediaSink } {
  const all: Int16Array[] = [];
  const come: Int16Array[] = [];
  const said: Int16Array[] = [];
  let sounding = 0;
  let soundAt = now();
  const sink: MediaSink = {
    onAudio: (pcm, _timestamp, concealed) => {
      const frame = pcm.slice();
      all.push(frame);
      if (!concealed) come.push(frame);
      if (peak(pcm) < LOUD) return;
      sounding++;
      soundAt = now();
    },
    fill: (out) => {
      const next = said.shift();
      if (next !== undefined) out.set(next);
      return next !== undefined;
    },
    onDtmf: (digit) => void keys.push(digit),
    onMediaTimeout: () => undefined,
  };
  const line: PhoneLine = {
    heard: () => {
      const pcm = new Int16Array(all.length * FRAME);
      for (const [i, frame] of all.entries()) pcm.set(frame, i * FRAME);
      return pcm;
    },
    frames: () => come,
    soundMs: () => sounding * 20,
    quietMs: () => now() - soundAt,
    keys,
    say: (pcm) => {
      for (let at = 0; at + FRAME <= pcm.length; at += FRAME) said.push(pcm.slice(at, at + FRAME));
    },
    press: (...digits) => media.sendDtmf(digits),
  };
  return { line, sink };
}
