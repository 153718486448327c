/** How many contacts were finished at a time (epoch ms). */
export interface Sample {
  readonly at: number;
  readonly finished: number;
}

const MOST = 60;
/** Milliseconds: a shorter time tells the age of the page's first data rather than the pace. */
const SHORTEST = 60_000;

export const addSample = (known: readonly Sample[], sample: Sample): readonly Sample[] =>
  [...known, sample].slice(-MOST);

/** Finished contacts a minute and the time for the rest; null before a minute was seen, or without progress. */
export function paceOf(
  samples: readonly Sample[],
  rest: number,
): { readonly perMinute: number; readonly left: string } | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < SHORTEST) return null;
  const perMinute = ((last.finished - first.finished) / (last.at - first.at)) * 60_000;
  if (perMinute <= 0) return null;
  const minutes = Math.ceil(rest / perMinute);
  const left =
    minutes < 120
      ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
      : `${Math.round(minutes / 60)} hours`;
  return { perMinute, left };
}
