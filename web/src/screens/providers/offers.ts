import type { Answer } from '../../api/client.ts';
import { formatMoney, formatMoneyRange } from '../../parts/vendors.ts';
import { formatLanguage, formatNumber } from '../../ui/format.tsx';
import { t } from '../../words/words.ts';

/** What a vendor can do in one part of a call. */
export type Offer = Answer<'getProviders'>['offers'][number];
type Price = Offer['prices'][number];

/** So many languages are named; more are counted. */
const NAMED = 2;

/** Tags as languages without their countries: `en-US` and `en-IN` are one. */
export const languageNames = (tags: readonly string[]): readonly string[] =>
  [...new Set(tags.map((tag) => tag.replace(/-.*$/, '')))].map(formatLanguage);

/** The languages of the assistants that the vendor lacks. */
const missingOf = (languages: readonly string[], wanted: readonly string[]): readonly string[] =>
  languageNames(wanted.filter((tag) => !languages.includes(tag)));

/** Which languages a part has, and whether those of the assistants are among them; null: it is not known. */
export function languagesText({ languages }: Offer, wanted: readonly string[]): string | null {
  if (languages === null) return null;
  const names = languageNames(languages);
  const what =
    names.length === 0 || names.length > NAMED
      ? t('{count} languages', { count: formatNumber(names.length) })
      : names.join(', ');
  const missing = missingOf(languages, wanted);
  if (wanted.length === 0) return what;
  if (missing.length === 0) return t('{what}, all of yours', { what });
  return missing.length > NAMED
    ? t('{what}, not {count} of yours', { what, count: formatNumber(missing.length) })
    : t('{what}, not {missing}', { what, missing: missing.join(', ') });
}

const amountsOf = (price: Price): readonly number[] =>
  [
    price.per_minute,
    price.per_thousand_characters,
    price.per_million_input_tokens,
    price.per_million_cached_tokens,
    price.per_million_output_tokens,
  ].filter((amount) => amount !== null);

/** One entry of the price list in words. */
export function priceText(price: Price, currency: string): string {
  if (amountsOf(price).every((amount) => amount === 0)) return t('no charge');
  const money = (amount: number): string => formatMoney(amount, currency);
  const { per_minute: minute, per_thousand_characters: characters } = price;
  const { per_million_input_tokens: input, per_million_output_tokens: output } = price;
  return [
    minute === null ? '' : t('{money} a minute', { money: money(minute) }),
    characters === null ? '' : t('{money} for 1,000 characters', { money: money(characters) }),
    input === null || output === null
      ? ''
      : t('{input} for a million tokens read, {output} written', {
          input: money(input),
          output: money(output),
        }),
  ]
    .filter((text) => text !== '')
    .join(', ');
}

const only = (price: Price, key: 'per_minute' | 'per_thousand_characters'): boolean =>
  price[key] !== null && amountsOf(price).length === 1;

/** Whether models of the vendor have no price here. */
export const lacksPrices = ({ model, prices }: Offer): boolean =>
  model === null && prices.every((price) => price.model !== '*');

/** What a part costs, in a few words. Several models are a range where their prices have the same unit. */
export function pricesText(offer: Offer, currency: string): string {
  const { model, prices } = offer;
  const [first] = prices;
  if (first === undefined) return t('price not known here');
  if (prices.length === 1) {
    const text = priceText(first, currency);
    return model === null && first.model !== '*'
      ? t('{text} with {model}', { text, model: first.model })
      : text;
  }
  for (const [key, unit] of [
    ['per_minute', '{money} a minute'],
    ['per_thousand_characters', '{money} for 1,000 characters'],
  ] as const) {
    if (!prices.every((price) => only(price, key))) continue;
    const amounts = prices.map((price) => price[key] ?? 0);
    const money = formatMoneyRange(Math.min(...amounts), Math.max(...amounts), currency);
    return t('{text}, by model', { text: t(unit, { money }) });
  }
  return t('price depends on the model');
}
