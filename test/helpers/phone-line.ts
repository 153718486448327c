import type { RtpLeg } from '../../src/telephony/rtp/rtp-leg.ts';
import { peak } from '../../src/voice/audio/level.ts';
import type { DtmfDigit, MediaSink } from '../../src/voice/ports.ts';

/** The ear and the mouth of a phone: what it hears is kept, and it says what it is told to. */
export interface PhoneLine {
  /** Everything heard so far, 8 kHz. */
  heard(): Int16Array;
  /** The frames of 20 ms that have come, without those made up for lost ones. */
  frames(): readonly Int16Array[];
  /** Ms of frames with sound in them so far, and since the last one of them. */
  soundMs(): number;
  quietMs(): number;
  readonly keys: DtmfDigit[];
  say(pcm: Int16Array): void;
  press(...digits: DtmfDigit[]): void;
}

/** Peak of a frame with sound in it. */
const LOUD = 300;
const FRAME = 160;

/** `keys`: where presses that come to it are kept, also those that come by signalling. */
export function phoneLine(media: RtpLeg, keys: DtmfDigit[] = []): { line: PhoneLine; sink: MediaSink } {
  const all: Int16Array[] = [];
  const come: Int16Array[] = [];
  const said: Int16Array[] = [];
  let sounding = 0;
  let soundAt = Date.now();
  const sink: MediaSink = {
    onAudio: (pcm, _timestamp, concealed) => {
      const frame = pcm.slice();
      all.push(frame);
      if (!concealed) come.push(frame);
      if (peak(pcm) < LOUD) return;
      sounding++;
      soundAt = Date.now();
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
    quietMs: () => Date.now() - soundAt,
    keys,
    say: (pcm) => {
      for (let at = 0; at + FRAME <= pcm.length; at += FRAME) said.push(pcm.slice(at, at + FRAME));
    },
    press: (...digits) => media.sendDtmf(digits),
  };
  return { line, sink };
}
