import type { CallPurpose } from '../../shared/call-purposes.ts';

/** Series of Indian numbers, as the first digits of a national number of ten digits, and the calls that may come from them. */
const SERIES: readonly (readonly [string, readonly CallPurpose[]])[] = [
  ['140', ['promotional']],
  // 1600 of banks, brokers, insurers and governments is a part of it (direction of TRAI of 19 November 2025).
  ['160', ['transactional', 'service']],
];

const seriesOf = (number: string): (typeof SERIES)[number] | undefined =>
  SERIES.find(([digits]) => number.startsWith(`+91${digits}`) && number.length === '+91'.length + 10);

/** Why a number in E.164 form cannot have a purpose, after its name in a sentence; null: it can. Pure. */
export function purposeProblem(number: string, purpose: CallPurpose): string | null {
  const series = seriesOf(number);
  if (series === undefined || series[1].includes(purpose)) return null;
  return `is in the series ${series[0]}, which is for ${series[1].join(' and ')} calls, not for ${purpose} ones`;
}

/** Why a number cannot call for a campaign of this purpose, after its name in a sentence; null: it can. Pure. */
export function misfit(
  { number, purpose: own }: { readonly number: string; readonly purpose: CallPurpose | null },
  purpose: CallPurpose,
): string | null {
  if (own !== null && own !== purpose) return `is for ${own} calls, and the campaign is ${purpose}`;
  return purposeProblem(number, purpose);
}
