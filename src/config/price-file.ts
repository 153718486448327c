import { parse } from 'yaml';
import type { Price, PriceTable } from '../shared/prices.ts';
import { DEFAULT_PRICES } from '../vendors/prices.ts';
import { fail, Invalid } from './readers.ts';

const NAMES = new Set([
  'part',
  'vendor',
  'model',
  'per_minute',
  'per_million_input_tokens',
  'per_million_cached_tokens',
  'per_million_output_tokens',
  'per_thousand_characters',
]);
const MOST_PRICES = 1_000;

/** The table of a price file (YAML or JSON): its prices, and behind them the built-in ones if the currency is theirs. */
export function readPrices(text: string): PriceTable {
  let file: unknown;
  try {
    file = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    return fail(`is not YAML: ${error instanceof Error ? error.message.split('\n')[0] : ''}`);
  }
  const { currency = DEFAULT_PRICES.currency, prices, ...rest } = objectOf(file, 'the file');
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) fail(`has the key ${unknown.slice(0, 40)}, which is not known`);
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
    fail('needs currency as three capital letters, such as USD');
  }
  if (!Array.isArray(prices)) return fail('needs a list prices');
  if (prices.length > MOST_PRICES) fail(`has more than ${MOST_PRICES} prices`);
  const own = prices.map((entry: unknown, index) => readPrice(entry, `prices[${index}]`));
  const builtIn = currency === DEFAULT_PRICES.currency ? DEFAULT_PRICES.prices : [];
  return { currency: String(currency), prices: [...own, ...builtIn] };
}

function objectOf(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail(`${name} must be a mapping`);
  return value as Record<string, unknown>;
}

function readPrice(entry: unknown, at: string): Price {
  const fields = objectOf(entry, at);
  const unknown = Object.keys(fields).find((name) => !NAMES.has(name));
  if (unknown !== undefined) fail(`${at}.${unknown.slice(0, 40)} is not known`);
  const { part, vendor, model = '*' } = fields;
  if (part !== 'stt' && part !== 'llm' && part !== 'tts') {
    return fail(`${at}.part must be stt, llm or tts`);
  }
  if (typeof vendor !== 'string' || vendor === '') return fail(`${at}.vendor is required`);
  if (typeof model !== 'string' || model === '') return fail(`${at}.model must be a name`);
  const amount = (name: string): number | undefined => {
    const value = fields[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !(value >= 0) || value > 1_000_000) {
      throw new Invalid(`${at}.${name} must be a number from 0 to 1000000`);
    }
    return value;
  };
  const minute = amount('per_minute');
  const characters = amount('per_thousand_characters');
  const [input, cached, output] = ['input', 'cached', 'output'].map((kind) =>
    amount(`per_million_${kind}_tokens`),
  );
  if ((input === undefined) !== (output === undefined) || (cached !== undefined && input === undefined)) {
    fail(`${at} needs per_million_input_tokens and per_million_output_tokens together`);
  }
  if (minute === undefined && characters === undefined && input === undefined) fail(`${at} has no price`);
  return {
    part,
    vendor,
    model,
    ...(minute === undefined ? {} : { perMinute: minute }),
    ...(characters === undefined ? {} : { perThousandCharacters: characters }),
    ...(input === undefined || output === undefined
      ? {}
      : { perMillionTokens: { input, output, ...(cached === undefined ? {} : { cached }) } }),
  };
}
