/** Which of `count` places of `step` pixels from `left` on is at `x`; null: none. */
export function placeAt(x: number, left: number, step: number, count: number): number | null {
  if (step <= 0) return null;
  const index = Math.floor((x - left) / step);
  return index >= 0 && index < count ? index : null;
}
