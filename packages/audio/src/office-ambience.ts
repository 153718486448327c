import { clip16 } from './clip.ts';

/**
 * A quiet office: air conditioning and occasional keyboard strokes. Generated deterministically, as a loop without a seam.
 * Contains nothing voice-like, so that no VAD is triggered.
 */
export interface Ambience {
  /** The whole loop; silent where it is not generated yet. */
  readonly pcm: Int16Array;
  /** Generates the loop up to `place`: a frame at a time, because all at once would delay other calls. */
  reach(place: number): void;
}

const LOOP_MS = 16_000;
const SEAM_MS = 250;
/** Brings the loop to -30 dBFS, well below the agent's voice. */
const GAIN = 4_750;

const made = new Map<number, Ambience>();

/** The office at a sample rate; one per thread. */
export function officeAmbience(rate: number): Ambience {
  const known = made.get(rate);
  if (known !== undefined) return known;
  const ambience = createAmbience(rate);
  made.set(rate, ambience);
  return ambience;
}

function createAmbience(rate: number): Ambience {
  const pcm = new Int16Array((rate * LOOP_MS) / 1000);
  const seam = (rate * SEAM_MS) / 1000;
  const sample = office(rate, pcm.length);
  // The lead-in before the start: the last stretch crossfades into it.
  const before = Float32Array.from({ length: seam }, sample);
  let next = 0;
  return {
    pcm,
    reach(place) {
      for (const end = Math.min(place, pcm.length); next < end; next++) {
        const share = Math.max(0, (next + 1 - pcm.length + seam) / seam);
        const own = sample() * Math.sqrt(1 - share);
        const lead = share === 0 ? 0 : (before[next - pcm.length + seam] ?? 0) * Math.sqrt(share);
        pcm[next] = clip16((own + lead) * GAIN);
      }
    },
  };
}

/** Sample generator: low-pass noise with a slow swell, and keyboard strokes. */
function office(rate: number, length: number): () => number {
  const noise = randomOf(20_260_105);
  const low = 1 - Math.exp((-2 * Math.PI * 350) / rate);
  const high = 1 - Math.exp((-2 * Math.PI * 60) / rate);
  // The same loudness at every rate: white noise of a wider band has less of its power below.
  const level = Math.sqrt(rate / 8000);
  const click = randomOf(11);
  const decay = Math.exp(-1 / (rate * 0.0025));
  const keys = keyStrokes(rate, length);
  let [rumble, floor, key, at] = [0, 0, 0, 0];
  return () => {
    const white = noise();
    rumble += low * (white - rumble);
    floor += high * (rumble - floor);
    key = (keys.get(at) ?? 0) + key * decay;
    const swell = 1 + 0.12 * Math.sin((2 * Math.PI * at++) / (rate * 5.3));
    const stroke = key < 0.001 ? 0 : key * click();
    return swell * level * (rumble - floor + 0.06 * white) + stroke;
  };
}

/** When keys are struck, and how hard: bursts with pauses between them, none near the ends of the loop. */
function keyStrokes(rate: number, length: number): ReadonlyMap<number, number> {
  const random = randomOf(7);
  const keys = new Map<number, number>();
  for (let at = rate; at < length - rate;) {
    for (let left = 3 + Math.floor((random() + 1) * 4); left > 0 && at < length - rate; left--) {
      keys.set(at, 0.25 + 0.1 * random());
      at += Math.round(rate * (0.16 + 0.05 * random()));
    }
    at += Math.round(rate * (1.6 + 0.8 * random()));
  }
  return keys;
}

/** Deterministic pseudo-random numbers from -1 to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2_147_483_648 - 1;
  };
}
