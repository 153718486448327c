import { Metadata } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/max/metadata';

/** What is looked at of a country's numbering plan. */
interface Plan {
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  possibleLengths(): readonly number[] | undefined;
  type(name: string): { pattern(): string; possibleLengths(): readonly number[] | undefined } | undefined;
}
interface Rules {
  readonly lengths: ReadonlySet<number>;
  readonly plan: RegExp;
  readonly usual: RegExp;
  readonly refused: RegExp | null;
  /** What may be cut off the front before a number is looked at. */
  readonly prefix: RegExp | null;
}

const REFUSED_KINDS = ['PREMIUM_RATE', 'SHARED_COST', 'PERSONAL_NUMBER', 'PAGER', 'VOICEMAIL'];
const USUAL_KINDS = ['FIXED_LINE', 'MOBILE'];
const codes = metadata.country_calling_codes as Record<string, readonly string[] | undefined>;
const known = new Map<string, Rules | null>();

/**
 * Whether a text in E.164 form is certainly an ordinary fixed or mobile number, which the full check would take as it
 * is. False says nothing: the full check decides, at fifty times the cost. It looks at the first country of a calling
 * code only, and only at numbers that country's plan lists under a usual kind and under no refused one.
 */
export function isUsualNumber(e164: string): boolean {
  for (let digits = 1; digits <= 3; digits += 1) {
    const code = e164.slice(1, 1 + digits);
    if (codes[code] === undefined) continue;
    const rules = rulesOf(code);
    if (rules === null) return false;
    const national = e164.slice(1 + digits);
    return (
      rules.lengths.has(national.length) &&
      rules.usual.test(national) &&
      rules.plan.test(national) &&
      rules.refused?.test(national) !== true &&
      rules.prefix?.test(national) !== true
    );
  }
  return false;
}

function rulesOf(code: string): Rules | null {
  let rules = known.get(code);
  if (rules === undefined) {
    rules = readRules(code);
    known.set(code, rules);
  }
  return rules;
}

function readRules(code: string): Rules | null {
  const country = codes[code]?.[0];
  // 001 stands for codes without a country.
  if (country === undefined || !/^[A-Z]{2}$/.test(country)) return null;
  const book = new Metadata(metadata);
  book.selectNumberingPlan(country as Parameters<Metadata['selectNumberingPlan']>[0]);
  const plan = book.numberingPlan as unknown as Plan;
  if (plan.leadingDigits()) return null;
  const usual = USUAL_KINDS.flatMap((kind) => patternOf(plan, kind));
  if (usual.length === 0) return null;
  const refused = REFUSED_KINDS.flatMap((kind) => patternOf(plan, kind));
  const prefix = plan.nationalPrefixForParsing();
  return {
    lengths: lengthsOf(plan),
    plan: whole([plan.nationalNumberPattern()]),
    usual: whole(usual),
    refused: refused.length === 0 ? null : whole(refused),
    prefix: prefix === undefined || prefix === '' ? null : new RegExp(`^(?:${prefix})`),
  };
}

/** Lengths at which a number is possible and none of its usual kinds is ruled out by its length. */
function lengthsOf(plan: Plan): ReadonlySet<number> {
  let lengths = plan.possibleLengths() ?? [];
  for (const kind of USUAL_KINDS) {
    const own = plan.type(kind)?.possibleLengths();
    if (patternOf(plan, kind).length > 0 && own) lengths = lengths.filter((length) => own.includes(length));
  }
  return new Set(lengths);
}

function patternOf(plan: Plan, kind: string): string[] {
  const pattern = plan.type(kind)?.pattern();
  return pattern ? [pattern] : [];
}

const whole = (patterns: readonly string[]): RegExp =>
  new RegExp(`^(?:${patterns.map((p) => `(?:${p})`).join('|')})$`);

export const isCallingCode = (digits: string): boolean => Object.hasOwn(codes, digits);
