/** In-band DTMF tones (ITU-T Q.23) for peers without telephone-event. */
const LOW_HZ = [697, 770, 852, 941] as const;
const HIGH_HZ = [1209, 1336, 1477, 1633] as const;
/** Keys by column of the keypad: index & 3 is the row, index >> 2 the column. */
const KEYS = '147*2580369#ABCD';
/** Keys by RFC 4733 event code. */
const EVENTS = '0123456789*#ABCD';
/** About -9 dBFS per tone. */
const AMPLITUDE = 11_500;

/** Writes the tone of an event code, starting at its sample `start`. */
export function writeDtmfTone(dst: Int16Array, event: number, start: number, rate: number): void {
  const key = KEYS.indexOf(EVENTS.charAt(event));
  const low = (2 * Math.PI * (LOW_HZ[key & 3] as number)) / rate;
  const high = (2 * Math.PI * (HIGH_HZ[key >> 2] as number)) / rate;
  for (let i = 0; i < dst.length; i++) {
    dst[i] = Math.round(AMPLITUDE * (Math.sin(low * (start + i)) + Math.sin(high * (start + i))));
  }
}
