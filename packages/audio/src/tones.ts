import { clip16 } from './clip.ts';

/** A steady sine of peak `amplitude` (0 to 32767) as new PCM. */
export function sineTone(hz: number, durationMs: number, rate: number, amplitude = 16_000): Int16Array {
  return dualTone(hz, hz, durationMs, rate, amplitude / 2);
}

/** Two sines of peak `amplitude` each, as keypad and ringing tones are made. */
export function dualTone(
  lowHz: number,
  highHz: number,
  durationMs: number,
  rate: number,
  amplitude = 8000,
): Int16Array {
  const low = (2 * Math.PI * lowHz) / rate;
  const high = (2 * Math.PI * highHz) / rate;
  return Int16Array.from({ length: Math.round((durationMs / 1000) * rate) }, (_, i) =>
    clip16(amplitude * (Math.sin(low * i) + Math.sin(high * i))),
  );
}

/** A short beep with 5 ms edges, so that it starts and ends without a click. */
export function beep(hz: number, durationMs: number, rate: number, amplitude = 12_000): Int16Array {
  const pcm = sineTone(hz, durationMs, rate, amplitude);
  const edge = Math.min(Math.floor(pcm.length / 2), Math.round(rate * 0.005));
  for (let i = 0; i < edge; i++) {
    const gain = i / edge;
    const end = pcm.length - 1 - i;
    pcm[i] = Math.round((pcm[i] as number) * gain);
    pcm[end] = Math.round((pcm[end] as number) * gain);
  }
  return pcm;
}
