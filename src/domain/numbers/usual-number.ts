import { Metadata } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/max/metadata';

/** The part of libphonenumber's metadata that this check reads. */
interface Plan {
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  possibleLengths(): readonly number[] | undefined;
  type(name: string): { pattern(): string; possibleLengths(): readonly number[] | undefined } | undefined;
}
interface UsualRules {
  readonly lengths: ReadonlySet<number>;
  readonly plan: RegExp;
  readonly usual: RegExp;
  readonly refused: RegExp | null;
  /** National prefix that the full check may strip. */
  readonly prefix: RegExp | null;
}
interface RefusedRules {
  readonly kinds: RegExp | null;
  readonly prefix: RegExp | null;
}
/** What both fast paths know about a calling code; null: they decide nothing for it. */
interface CodeRules {
  readonly usual: UsualRules | null;
  readonly refused: RefusedRules | null;
}

/** Number types with premium charges, or prone to toll fraud. */
export const REFUSED_KINDS = ['PREMIUM_RATE', 'SHARED_COST', 'PERSONAL_NUMBER', 'PAGER', 'VOICEMAIL'];
const USUAL_KINDS = ['FIXED_LINE', 'MOBILE'];
const codes = metadata.country_calling_codes as Record<string, readonly string[] | undefined>;
const known = new Map<string, CodeRules>();

/**
 * Fast path: true when an E.164 text is certainly a fixed or mobile number that the full check accepts unchanged.
 * False means undecided, and the full check decides at fifty times the cost. Only the first country of a calling code
 * is considered, and only numbers that its plan lists under a usual kind and under no refused kind.
 */
export function isUsualNumber(e164: string): boolean {
  const { rules, national } = numberIn(e164);
  const usual = rules?.usual ?? null;
  return (
    usual !== null &&
    usual.lengths.has(national.length) &&
    usual.usual.test(national) &&
    usual.plan.test(national) &&
    usual.refused?.test(national) !== true &&
    usual.prefix?.test(national) !== true
  );
}

/**
 * Fast path of the other answer: false when an E.164 number certainly is of no refused kind, because no country of its
 * calling code has a refused kind that matches its digits. True means undecided, and the full check decides.
 */
export function mayBeRefusedKind(e164: string): boolean {
  const { rules, national } = numberIn(e164);
  const refused = rules?.refused ?? null;
  if (refused === null) return true;
  return refused.kinds?.test(national) === true || refused.prefix?.test(national) === true;
}

export const isCallingCode = (digits: string): boolean => Object.hasOwn(codes, digits);

/** The rules of the number's calling code, and the digits after it; null: the code does not exist. */
function numberIn(e164: string): { readonly rules: CodeRules | null; readonly national: string } {
  for (let digits = 1; digits <= 3; digits += 1) {
    const code = e164.slice(1, 1 + digits);
    const countries = codes[code];
    if (countries === undefined) continue;
    let rules = known.get(code);
    if (rules === undefined) {
      rules = readRules(countries);
      known.set(code, rules);
    }
    return { rules, national: e164.slice(1 + digits) };
  }
  return { rules: null, national: '' };
}

/** Reads the plans of a calling code's countries, once each. */
function readRules(countries: readonly string[]): CodeRules {
  // 001 is the pseudo-country of international codes.
  if (!countries.every((country) => /^[A-Z]{2}$/.test(country))) return { usual: null, refused: null };
  const plans = countries.map(planOf);
  const [first] = plans;
  return { usual: first === undefined ? null : usualRules(first), refused: refusedRules(plans) };
}

function planOf(country: string): Plan {
  const book = new Metadata(metadata);
  book.selectNumberingPlan(country as Parameters<Metadata['selectNumberingPlan']>[0]);
  return book.numberingPlan as unknown as Plan;
}

function usualRules(plan: Plan): UsualRules | null {
  if (plan.leadingDigits()) return null;
  const usual = USUAL_KINDS.flatMap((kind) => patternOf(plan, kind));
  if (usual.length === 0) return null;
  return {
    lengths: lengthsOf(plan),
    plan: whole([plan.nationalNumberPattern()]),
    usual: whole(usual),
    refused: kindsOf([plan]),
    prefix: prefixOf([plan]),
  };
}

const refusedRules = (plans: readonly Plan[]): RefusedRules => ({
  kinds: kindsOf(plans),
  prefix: prefixOf(plans),
});

/** Lengths that are possible for a number and for every usual kind of the plan. */
function lengthsOf(plan: Plan): ReadonlySet<number> {
  let lengths = plan.possibleLengths() ?? [];
  for (const kind of USUAL_KINDS) {
    const own = plan.type(kind)?.possibleLengths();
    if (patternOf(plan, kind).length > 0 && own) lengths = lengths.filter((length) => own.includes(length));
  }
  return new Set(lengths);
}

/** Matches the refused kinds of these plans; null: they have none. */
function kindsOf(plans: readonly Plan[]): RegExp | null {
  const kinds = plans.flatMap((plan) => REFUSED_KINDS.flatMap((kind) => patternOf(plan, kind)));
  return kinds.length === 0 ? null : whole(kinds);
}

/** Matches the national prefixes of these plans; null: they have none. */
function prefixOf(plans: readonly Plan[]): RegExp | null {
  const prefixes = plans.flatMap((plan) => plan.nationalPrefixForParsing() || []);
  return prefixes.length === 0 ? null : new RegExp(`^(?:${prefixes.map((p) => `(?:${p})`).join('|')})`);
}

function patternOf(plan: Plan, kind: string): string[] {
  const pattern = plan.type(kind)?.pattern();
  return pattern ? [pattern] : [];
}

const whole = (patterns: readonly string[]): RegExp =>
  new RegExp(`^(?:${patterns.map((p) => `(?:${p})`).join('|')})$`);
