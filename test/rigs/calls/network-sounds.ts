import { sineTone } from '@callwright/audio';

/** Special information tones at 8 kHz: frequency in Hz and length in ms of each (ITU-T E.180). */
export function specialTones(...tones: readonly (readonly [hz: number, ms: number])[]): Int16Array {
  const parts = tones.map(([hz, ms]) => sineTone(hz, ms, 8000));
  const pcm = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    pcm.set(part, at);
    at += part.length;
  }
  return pcm;
}
