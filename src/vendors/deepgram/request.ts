import type { VendorSettings } from '../catalogue.ts';

export const deepgramHeaders = ({ apiKey }: VendorSettings): Record<string, string> =>
  apiKey === null ? {} : { authorization: `Token ${apiKey}` };

/** Key terms within the limits of both models: 500 tokens in all, which are at most characters / 2. */
export function keyterms(vocab: readonly string[]): string[] {
  const terms: string[] = [];
  let length = 0;
  for (const term of vocab) {
    length += term.length;
    if (terms.length >= 50 || length > 1_000) break;
    if (term.trim() !== '') terms.push(term.trim());
  }
  return terms;
}
