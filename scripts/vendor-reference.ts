import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LANGUAGES } from '@callwright/language';
import { settingsOfVendor } from '../src/config/settings-of-vendors.ts';
import type { Price } from '../src/shared/prices.ts';
import { VENDORS } from '../src/vendors/list.ts';
import type { LanguageCodes, Vendor } from '../src/vendors/vendor.ts';

/** Writes docs/vendors.md from the descriptions in src/vendors; test/structure/vendor-reference.test.ts checks that it is up to date. */

const INTRODUCTION = `# Vendors, their settings, languages and prices

What each vendor can do here, from its description in \`src/vendors\`. How they are chosen, what happens when one fails, and how
they were measured is in [providers.md](providers.md).
`;

const PARTS = ['stt', 'llm', 'tts', 's2s'] as const;
const PART_NAMES = { stt: 'hears', llm: 'thinks', tts: 'speaks', s2s: 'speech to speech' } as const;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '-'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
const code = (text: string): string => `\`${text}\``;

function overview(): string {
  return table(
    ['Vendor', ...PARTS.map((part) => PART_NAMES[part]), 'key'],
    VENDORS.map((vendor: Vendor) => [
      `[${vendor.name}](#${vendor.name})`,
      ...PARTS.map((part) => (vendor[part] === undefined ? '' : 'yes')),
      vendor.needsKey ? 'required' : vendor.apiKey === undefined ? 'none' : 'if the server needs one',
    ]),
  );
}

const settings = (vendor: Vendor): string =>
  table(
    ['Setting', 'Default', 'Meaning'],
    Object.entries(settingsOfVendor(vendor)).map(([name, one]) => [
      code(name),
      one.default === null || one.default === '' ? '' : code(one.default),
      one.about.replaceAll('|', '\\|'),
    ]),
  );

function languages(codes: LanguageCodes): string {
  const has = Object.entries(codes).flatMap(([language, sent]) => (sent === null ? [] : [language]));
  return has.length === LANGUAGES.length ? `all ${has.length} languages` : has.map(code).join(', ');
}

function heard({ stt }: Vendor): readonly string[] {
  if (stt === undefined) return [];
  const { any, models = [] } = stt.languages;
  return [
    `- hears ${languages(any)}`,
    ...models.map(([name, codes]) => `- models ${code(name.source)} hear ${languages(codes)}`),
  ];
}

const dollars = (value: number): string => String(Number(value.toPrecision(3)));

function price(one: Price): string {
  const { perMinute, perMillionTokens, perThousandCharacters } = one;
  if (perMinute !== undefined) return `${dollars(perMinute)} a minute heard`;
  if (perThousandCharacters !== undefined) return `${dollars(perThousandCharacters)} a thousand characters`;
  if (perMillionTokens === undefined) return '';
  const { input, cached, output } = perMillionTokens;
  const read = cached === undefined ? '' : `, ${dollars(cached)} from its cache`;
  return `${dollars(input)} a million tokens read${read}, ${dollars(output)} written`;
}

function prices({ prices: own = [] }: Vendor): readonly string[] {
  if (own.length === 0) return [];
  const rows = own.map((one) => [PART_NAMES[one.part], code(one.model), price(one)]);
  return ['', table(['Part', 'Model', 'List price, US dollars'], rows)];
}

const section = (vendor: Vendor): string =>
  [
    `## ${vendor.name}`,
    '',
    settings(vendor),
    '',
    ...heard(vendor),
    ...(vendor.tts === undefined ? [] : [`- speaks ${languages(vendor.tts.languages)}`]),
    ...(vendor.s2s === undefined
      ? []
      : [`- ${vendor.s2s.product} as one connection, of ${vendor.s2s.minutes} minutes at most`]),
    ...prices(vendor),
  ]
    .join('\n')
    .trimEnd();

export const vendorReference = (): string =>
  [INTRODUCTION, overview(), '', VENDORS.map(section).join('\n\n'), ''].join('\n');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(fileURLToPath(new URL('../docs/vendors.md', import.meta.url)), vendorReference());
}
