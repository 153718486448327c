/** The waveform of a recording, in the JSON format of audiowaveform: minimum and maximum of each channel in turn. */
export interface Peaks {
  readonly channels: number;
  readonly bits: number;
  readonly length: number;
  readonly data: readonly number[];
}

/** The SVG path of a channel around y = `middle`, `height` high, `width` wide. */
export function lanePath(
  peaks: Peaks,
  channel: number,
  box: { readonly width: number; readonly height: number; readonly middle: number },
): string {
  const loudest = Math.max(...peaks.data.slice(0, peaks.length * peaks.channels * 2).map(Math.abs), 1);
  // The loudest moment fills the lane, up to a gain of 8: silence stays flat.
  const full = Math.max(loudest, 2 ** (peaks.bits - 1) / 8);
  const stride = peaks.channels * 2;
  const step = box.width / Math.max(1, peaks.length);
  const y = (value: number): string => (box.middle - (value / full) * (box.height / 2)).toFixed(1);
  const upper: string[] = [];
  const lower: string[] = [];
  for (let point = 0; point < peaks.length; point += 1) {
    const at = point * stride + channel * 2;
    const x = (point * step).toFixed(1);
    upper.push(`${x},${y(Math.max(peaks.data[at + 1] ?? 0, full / 200))}`);
    lower.push(`${x},${y(Math.min(peaks.data[at] ?? 0, -full / 200))}`);
  }
  return upper.length === 0 ? '' : `M${upper.join('L')}L${lower.toReversed().join('L')}Z`;
}
