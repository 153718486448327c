import { dualTone, type DtmfDigit } from '@callwright/audio';

const ROWS = [697, 770, 852, 941];
const COLUMNS = [1209, 1336, 1477, 1633];
const KEYS = '123A456B789C*0#D';
/** Telephones recognise keys of 40 ms with pauses of 40 ms (ITU-T Q.24); these have a reserve. */
const TONE_MS = 100;
const PAUSE_MS = 80;
const AMPLITUDE = 8_000;

/** Frames with the tones of the keys (ITU-T Q.23) and a pause behind each, in the order of the keys. */
export function keyTones(digits: readonly DtmfDigit[], rate: number, frame: number): Int16Array[] {
  const frames: Int16Array[] = [];
  for (const digit of digits) {
    const at = KEYS.indexOf(digit);
    const tone = dualTone(ROWS[at >> 2] ?? 0, COLUMNS[at & 3] ?? 0, TONE_MS, rate, AMPLITUDE);
    const whole = new Int16Array(((TONE_MS + PAUSE_MS) * rate) / 1_000);
    whole.set(tone.subarray(0, whole.length));
    for (let place = 0; place + frame <= whole.length; place += frame)
      frames.push(whole.slice(place, place + frame));
  }
  return frames;
}
