/** Time source. `now()` is wall time in epoch ms; `monotonic()` is in ms and never jumps. */
export interface Clock {
  now(): number;
  monotonic(): number;
}
