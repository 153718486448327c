/** What follows a message that WhatsApp did not accept or did not deliver. */
export type AfterError =
  /** Sent again after `waitMs`. */
  | { readonly do: 'retry'; readonly waitMs: number }
  /** The number sends nothing until then: its account needs the operator. */
  | { readonly do: 'pause'; readonly pauseMs: number }
  | { readonly do: 'fail' };

const MOST_TRIES = 5;
const MINUTE_MS = 60_000;
const PAUSE_MS = 15 * MINUTE_MS;

const TEMPORARY: ReadonlySet<number> = new Set([1, 2, 130429, 131000, 131016, 135000]);
const ACCOUNT_LIMIT: ReadonlySet<number> = new Set([4, 80007]);
const MEDIA: ReadonlySet<number> = new Set([131052, 131053]);
const PAIR_LIMIT = 131056;
const MAINTENANCE = 131057;
/** Token, permission, account, payment, policy, registration. */
const STOPS: ReadonlySet<number> = new Set([
  0, 3, 10, 190, 368, 130497, 131005, 131031, 131037, 131042, 131045, 131048, 131064, 133010, 133016,
]);

/** Decides by the code, never by the HTTP status (vendors' reference, W3). `tries` counts this one. */
export function afterError(code: number, tries: number): AfterError {
  if (STOPS.has(code) || (code >= 200 && code <= 299)) return { do: 'pause', pauseMs: PAUSE_MS };
  if (tries >= MOST_TRIES || (MEDIA.has(code) && tries >= 2)) return { do: 'fail' };
  if (code === PAIR_LIMIT) return { do: 'retry', waitMs: 1_000 * 4 ** (tries - 1) };
  if (code === MAINTENANCE) return { do: 'retry', waitMs: MINUTE_MS };
  if (ACCOUNT_LIMIT.has(code)) return { do: 'retry', waitMs: MINUTE_MS * 2 ** (tries - 1) };
  if (TEMPORARY.has(code) || MEDIA.has(code)) return { do: 'retry', waitMs: 1_000 * 2 ** (tries - 1) };
  return { do: 'fail' };
}

const PAUSED_BY = 'WhatsApp answers with the error ';
const CODE = /^-?\d{1,9}$/;

/** Why sending of a number was paused, as it is stored and shown by the API. */
export const pausedBecause = (code: number): string => `${PAUSED_BY}${code}`;

/** The vendor's code in that sentence; null: another one. */
export function codeOfPause(sentence: string | null): number | null {
  const code = sentence?.startsWith(PAUSED_BY) === true ? sentence.slice(PAUSED_BY.length) : '';
  return CODE.test(code) ? Number(code) : null;
}
