/**
 * ITU-T G.722 at 64 kbit/s: 16 kHz PCM in two sub-bands of ADPCM, a byte for two samples. The names of the steps are
 * those of the recommendation's blocks. Integer arithmetic, so that encoder and decoder agree with any other bit for bit.
 */

/** Outputs of the inverse quantisers of 2, 4 and 6 bits. */
const QM2 = Int16Array.of(-7408, -1616, 7408, 1616);
const QM4 = Int16Array.of(
  0,
  -20456,
  -12896,
  -8968,
  -6288,
  -4240,
  -2584,
  -1200,
  20456,
  12896,
  8968,
  6288,
  4240,
  2584,
  1200,
  0,
);
const QM6 = Int16Array.of(
  -136,
  -136,
  -136,
  -136,
  -24808,
  -21904,
  -19008,
  -16704,
  -14984,
  -13512,
  -12280,
  -11192,
  -10232,
  -9360,
  -8576,
  -7856,
  -7192,
  -6576,
  -6000,
  -5456,
  -4944,
  -4464,
  -4008,
  -3576,
  -3168,
  -2776,
  -2400,
  -2032,
  -1688,
  -1360,
  -1040,
  -728,
  24808,
  21904,
  19008,
  16704,
  14984,
  13512,
  12280,
  11192,
  10232,
  9360,
  8576,
  7856,
  7192,
  6576,
  6000,
  5456,
  4944,
  4464,
  4008,
  3576,
  3168,
  2776,
  2400,
  2032,
  1688,
  1360,
  1040,
  728,
  432,
  136,
  -432,
  -136,
);
/** Decision levels of the low band, and the codes of their intervals below and above zero. */
const Q6 = Int16Array.of(
  0,
  35,
  72,
  110,
  150,
  190,
  233,
  276,
  323,
  370,
  422,
  473,
  530,
  587,
  650,
  714,
  786,
  858,
  940,
  1023,
  1121,
  1219,
  1339,
  1458,
  1612,
  1765,
  1980,
  2195,
  2557,
  2919,
);
const LEVELS = Q6.length;
const lowCode = (interval: number, isNegative: boolean): number => {
  if (!isNegative) return 62 - interval;
  return interval < 3 ? 64 - interval : 34 - interval;
};
/** Steps of the logarithmic scale factors, by code. */
const WL = Int16Array.of(-60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60);
const WH = Int16Array.of(798, -214, 798, -214);
const ILB = Int16Array.of(
  2048,
  2093,
  2139,
  2186,
  2233,
  2282,
  2332,
  2383,
  2435,
  2489,
  2543,
  2599,
  2656,
  2714,
  2774,
  2834,
  2896,
  2960,
  3025,
  3091,
  3158,
  3228,
  3298,
  3371,
  3444,
  3520,
  3597,
  3676,
  3756,
  3838,
  3922,
  4008,
);
/** One half of the filter that splits and joins the bands; the other is its mirror. */
const QMF = Int16Array.of(3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11);
const TAPS = 2 * QMF.length;

const saturate = (value: number): number => (value > 32767 ? 32767 : value < -32768 ? -32768 : value);
const clamp = (value: number, low: number, high: number): number =>
  value < low ? low : value > high ? high : value;

/** The adaptive predictor and scale factor of one band. */
interface Band {
  /** Prediction, and its part from the zeros. */
  s: number;
  sz: number;
  /** Logarithmic and linear scale factor. */
  nb: number;
  det: number;
  /** Coefficients and last values of the poles, from index 1. */
  readonly a: Int32Array;
  readonly r: Int32Array;
  readonly p: Int32Array;
  /** Those of the zeros. */
  readonly b: Int32Array;
  readonly d: Int32Array;
}

const newBand = (det: number): Band => ({
  s: 0,
  sz: 0,
  nb: 0,
  det,
  a: new Int32Array(3),
  r: new Int32Array(3),
  p: new Int32Array(3),
  b: new Int32Array(7),
  d: new Int32Array(7),
});

/** One end of a G.722 stream: the two bands and the samples in the filter. */
interface Coder {
  readonly low: Band;
  readonly high: Band;
  readonly window: Int32Array;
}

const newCoder = (): Coder => ({ low: newBand(32), high: newBand(8), window: new Int32Array(TAPS) });

/** LOGSCL and LOGSCH, SCALEL and SCALEH. */
function rescale(band: Band, step: number, most: number, shift: number): void {
  band.nb = clamp(((band.nb * 127) >> 7) + step, 0, most);
  const level = ILB[(band.nb >> 6) & 31] as number;
  const right = shift - (band.nb >> 11);
  band.det = (right < 0 ? level << -right : level >> right) << 2;
}

/** Blocks 4L and 4H: adapts the predictor to the quantised difference, and predicts the next sample. */
function predict(band: Band, difference: number): void {
  const { a, b, r, p, d } = band;
  d[0] = difference;
  r[0] = saturate(band.s + difference);
  p[0] = saturate(band.sz + difference);
  const [sign, before, first] = [p[0] >> 15, (p[1] as number) >> 15, (p[2] as number) >> 15];

  const a1 = a[1] as number;
  const quadrupled = saturate(a1 << 2);
  const turned = Math.min(sign === before ? -quadrupled : quadrupled, 32767);
  const second = (sign === first ? 128 : -128) + (turned >> 7) + (((a[2] as number) * 32512) >> 15);
  const pole2 = clamp(second, -12288, 12288);
  const limit = saturate(15360 - pole2);
  const pole1 = clamp(saturate((sign === before ? 192 : -192) + ((a1 * 32640) >> 15)), -limit, limit);

  const step = difference === 0 ? 0 : 128;
  const side = difference >> 15;
  for (let i = 6; i > 0; i--) {
    const away = (d[i] as number) >> 15 === side ? step : -step;
    b[i] = saturate(away + (((b[i] as number) * 32640) >> 15));
  }
  for (let i = 6; i > 0; i--) d[i] = d[i - 1] as number;
  r[2] = r[1] as number;
  r[1] = r[0];
  p[2] = p[1] as number;
  p[1] = p[0];
  a[2] = pole2;
  a[1] = pole1;

  const one = (pole1 * saturate(2 * r[1])) >> 15;
  const two = (pole2 * saturate(2 * r[2])) >> 15;
  let zeros = 0;
  for (let i = 6; i > 0; i--) zeros += ((b[i] as number) * saturate(2 * (d[i] as number))) >> 15;
  band.sz = saturate(zeros);
  band.s = saturate(saturate(one + two) + band.sz);
}

/** The band's state after a low-band code of 6 bits, whose first 4 it follows. */
function follow(band: Band, code: number): void {
  const coarse = code >> 2;
  const difference = (band.det * (QM4[coarse] as number)) >> 15;
  rescale(band, WL[coarse] as number, 18_432, 8);
  predict(band, difference);
}

function followHigh(band: Band, code: number): void {
  const difference = (band.det * (QM2[code] as number)) >> 15;
  rescale(band, WH[code] as number, 22_528, 10);
  predict(band, difference);
}

function quantiseLow(band: Band, sample: number): number {
  const error = saturate(sample - band.s);
  const size = error >= 0 ? error : -(error + 1);
  let interval = 1;
  while (interval < LEVELS && size >= ((Q6[interval] as number) * band.det) >> 12) interval += 1;
  return lowCode(interval, error < 0);
}

function quantiseHigh(band: Band, sample: number): number {
  const error = saturate(sample - band.s);
  const isLarge = (error >= 0 ? error : -(error + 1)) >= (564 * band.det) >> 12;
  if (error < 0) return isLarge ? 0 : 1;
  return isLarge ? 2 : 3;
}

/** Encodes 16 kHz PCM, an even number of samples, into `dst` from `offset`; returns the bytes written. */
export function createG722Encoder(): (dst: Uint8Array, offset: number, src: Int16Array) => number {
  const { low, high, window } = newCoder();
  return (dst, offset, src) => {
    const count = Math.min(dst.length - offset, src.length >> 1);
    for (let i = 0; i < count; i++) {
      window.copyWithin(0, 2);
      window[TAPS - 2] = src[2 * i] as number;
      window[TAPS - 1] = src[2 * i + 1] as number;
      let [odd, even] = [0, 0];
      for (let tap = 0; tap < QMF.length; tap++) {
        odd += (window[2 * tap] as number) * (QMF[tap] as number);
        even += (window[2 * tap + 1] as number) * (QMF[QMF.length - 1 - tap] as number);
      }
      const lower = quantiseLow(low, (even + odd) >> 14);
      follow(low, lower);
      const upper = quantiseHigh(high, (even - odd) >> 14);
      followHigh(high, upper);
      dst[offset + i] = (upper << 6) | lower;
    }
    return count;
  };
}

/** Decodes bytes to 16 kHz PCM, as much as `dst` holds; returns the samples written. */
export function createG722Decoder(): (dst: Int16Array, src: Uint8Array) => number {
  const { low, high, window } = newCoder();
  return (dst, src) => {
    const count = Math.min(dst.length >> 1, src.length);
    for (let i = 0; i < count; i++) {
      const code = src[i] as number;
      const lower = code & 0x3f;
      const upper = code >> 6;
      const lowSample = clamp(low.s + ((low.det * (QM6[lower] as number)) >> 15), -16_384, 16_383);
      follow(low, lower);
      const highSample = clamp(high.s + ((high.det * (QM2[upper] as number)) >> 15), -16_384, 16_383);
      followHigh(high, upper);
      window.copyWithin(0, 2);
      window[TAPS - 2] = lowSample + highSample;
      window[TAPS - 1] = lowSample - highSample;
      let [first, second] = [0, 0];
      for (let tap = 0; tap < QMF.length; tap++) {
        second += (window[2 * tap] as number) * (QMF[tap] as number);
        first += (window[2 * tap + 1] as number) * (QMF[QMF.length - 1 - tap] as number);
      }
      dst[2 * i] = saturate(first >> 11);
      dst[2 * i + 1] = saturate(second >> 11);
    }
    return 2 * count;
  };
}
