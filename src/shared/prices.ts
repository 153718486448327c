/** What vendors charge, in one currency. */
export interface Price {
  readonly part: 'stt' | 'llm' | 'tts';
  readonly vendor: string;
  /** A model, or the beginning of its name before a `*`; `*`: every model. */
  readonly model: string;
  /** Of audio heard. */
  readonly perMinute?: number;
  /** Tokens that are read from the vendor's cache cost `cached`; absent: as much as others. */
  readonly perMillionTokens?: { readonly input: number; readonly cached?: number; readonly output: number };
  readonly perThousandCharacters?: number;
}
export interface PriceTable {
  readonly currency: string;
  /** The first entry that fits counts. */
  readonly prices: readonly Price[];
}

/** What was used of one model, of a call or of many. */
export interface Used {
  readonly part: Price['part'];
  readonly vendor: string;
  readonly model: string | null;
  readonly audioMs: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly characters: number;
}

function fits(pattern: string, model: string | null): boolean {
  if (pattern === '*') return true;
  if (model === null) return false;
  return pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : model === pattern;
}

/** The entries that count for a part of a vendor: that of `model`, or those of every model if it is null. */
export function pricesFor(
  { prices }: PriceTable,
  part: Price['part'],
  vendor: string,
  model: string | null,
): readonly Price[] {
  const own = prices.filter((one) => one.part === part && one.vendor === vendor);
  if (model !== null) return own.filter((one) => fits(one.model, model)).slice(0, 1);
  // An entry behind one that fits all its models never counts.
  return own.filter((one, at) => !own.slice(0, at).some((before) => fits(before.model, one.model)));
}

/** What was used, in the table's currency; null: the table has no price for it. Nothing used costs nothing. */
export function costOf({ prices }: PriceTable, used: Used): number | null {
  const { part, vendor, model, audioMs, characters } = used;
  if (audioMs + characters + used.inputTokens + used.outputTokens === 0) return 0;
  const price = prices.find((one) => one.part === part && one.vendor === vendor && fits(one.model, model));
  if (price === undefined) return null;
  const { perMinute, perThousandCharacters, perMillionTokens: tokens } = price;
  const audio = ((perMinute ?? 0) * audioMs) / 60_000;
  const text = ((perThousandCharacters ?? 0) * characters) / 1_000;
  if (tokens === undefined) return audio + text;
  const { input, cached = input, output } = tokens;
  const fresh = used.inputTokens - used.cachedTokens;
  return audio + text + (fresh * input + used.cachedTokens * cached + used.outputTokens * output) / 1_000_000;
}
