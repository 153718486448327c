import { clip16 } from './clip.ts';
import { rms } from './level.ts';

/**
 * A quiet office: air conditioning and, now and then, keys of a keyboard. Made by arithmetic, the same at every run, as
 * a loop whose end flows into its beginning. It holds nothing like a voice, so that no ear takes it for one.
 */
const LOOP_MS = 16_000;
const SEAM_MS = 250;
/** RMS at volume 1: well below the agent's voice. */
const LEVEL = 32_768 * 10 ** (-30 / 20);

const made = new Map<number, Int16Array>();

/** The loop at a sample rate; made once per thread. */
export function officeAmbience(rate: number): Int16Array {
  const known = made.get(rate);
  if (known !== undefined) return known;
  const pcm = render(rate);
  made.set(rate, pcm);
  return pcm;
}

function render(rate: number): Int16Array {
  const length = (rate * LOOP_MS) / 1000;
  const seam = (rate * SEAM_MS) / 1000;
  // What follows the end is what came before the beginning: the last stretch fades over into it.
  const raw = addKeys(air(length + seam, rate), rate);
  const loop = raw.slice(seam);
  for (let i = 0; i < seam; i++) {
    const share = (i + 1) / seam;
    const at = length - seam + i;
    loop[at] = (loop[at] as number) * Math.sqrt(1 - share) + (raw[i] as number) * Math.sqrt(share);
  }
  const pcm = Int16Array.from(loop, (sample) => clip16(sample * 4096));
  const gain = LEVEL / rms(pcm);
  for (let i = 0; i < pcm.length; i++) pcm[i] = clip16((pcm[i] as number) * gain);
  return pcm;
}

/** Noise that falls off towards high frequencies and swells a little. */
function air(length: number, rate: number): Float32Array {
  const random = randomOf(20_260_105);
  const out = new Float32Array(length);
  const low = 1 - Math.exp((-2 * Math.PI * 350) / rate);
  const high = 1 - Math.exp((-2 * Math.PI * 60) / rate);
  let rumble = 0;
  let floor = 0;
  for (let i = 0; i < length; i++) {
    const noise = random();
    rumble += low * (noise - rumble);
    floor += high * (rumble - floor);
    const swell = 1 + 0.12 * Math.sin((2 * Math.PI * i) / (rate * 5.3));
    out[i] = swell * (rumble - floor + 0.06 * noise);
  }
  return out;
}

/** Bursts of soft clicks, each a few milliseconds of noise that dies away. */
function addKeys(out: Float32Array, rate: number): Float32Array {
  const random = randomOf(7);
  let at = rate;
  while (at < out.length - rate) {
    const keys = 3 + Math.floor((random() + 1) * 4);
    for (let key = 0; key < keys && at < out.length - rate; key++) {
      const loud = 0.25 + 0.1 * random();
      for (let i = 0; i < rate * 0.012; i++) {
        out[at + i] = (out[at + i] as number) + loud * random() * Math.exp(-i / (rate * 0.0025));
      }
      at += Math.round(rate * (0.16 + 0.05 * random()));
    }
    at += Math.round(rate * (1.6 + 0.8 * random()));
  }
  return out;
}

/** The same numbers from -1 to 1 at every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2_147_483_648 - 1;
  };
}
