import { isE164 } from '../numbers/e164.ts';

/** The start of a formula in a spreadsheet, also with full-width signs and after blanks. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
/** A formula start later in the text. Matches each run of separators as a whole, so that matching is linear. */
const LATER = /([\s";]+)('*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])?/g;
/** Delimiters and line ends of spreadsheets in any locale. */
const DELIMITER = /[;\t\r\n]/;

/** Applies `change` to every formula start (apostrophes and sign) after a delimiter. */
const changedLater = (value: string, change: (sign: string) => string): string =>
  value.replaceAll(LATER, (whole, run: string, sign: string | undefined) =>
    sign === undefined || !DELIMITER.test(run) ? whole : run + change(sign),
  );

/**
 * Puts an apostrophe before everything that a spreadsheet would calculate (CSV injection). An E.164 number stays
 * unchanged, so that other programs can dial it.
 */
export function guarded(value: string): string {
  const begun = FORMULA.test(value) && !isE164(value) ? `'${value}` : value;
  return changedLater(begun, (sign) => (sign.startsWith("'") ? sign : `'${sign}`));
}

/** Reversible guard for `unguarded`: existing apostrophes get one more. */
export function guardedToReturn(value: string): string {
  const begun = isGuardedAtStart(value) ? `'${value}` : value;
  return changedLater(begun, (sign) => `'${sign}`);
}

/** Removes what `guardedToReturn` inserted. */
export function unguarded(value: string): string {
  const begun = changedLater(value, (sign) => (sign.startsWith("'") ? sign.slice(1) : sign));
  return begun.startsWith("'") && isGuardedAtStart(begun.slice(1)) ? begun.slice(1) : begun;
}

function isGuardedAtStart(value: string): boolean {
  const bare = value.replace(/^'+/, '');
  return FORMULA.test(bare) && (bare !== value || !isE164(bare));
}
