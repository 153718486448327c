import { isE164 } from '../numbers/dialable-number.ts';

/** What a spreadsheet takes for the beginning of a formula, also in its wide forms and after blanks. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
/** Where one may begin later in a text. It takes every run whole, so that long ones are read once. */
const LATER = /([\s";]+)('*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])?/g;
/** What is a delimiter, or ends a line, where a spreadsheet reads the file by another country's ways. */
const DELIMITER = /[;\t\r\n]/;

/** Changes what stands after a delimiter and may be calculated: apostrophes and a sign. */
const changedLater = (value: string, change: (sign: string) => string): string =>
  value.replaceAll(LATER, (whole, run: string, sign: string | undefined) =>
    sign === undefined || !DELIMITER.test(run) ? whole : run + change(sign),
  );

/**
 * Text with an apostrophe before whatever a spreadsheet would calculate; a phone number in E.164 form stays as it is,
 * so that other programs can dial it.
 */
export function guarded(value: string): string {
  const begun = FORMULA.test(value) && !isE164(value) ? `'${value}` : value;
  return changedLater(begun, (sign) => (sign.startsWith("'") ? sign : `'${sign}`));
}

/** Guarded so that `unguarded` gives the same text back: apostrophes that stood there get one more. */
export function guardedToReturn(value: string): string {
  const begun = isGuardedAtStart(value) ? `'${value}` : value;
  return changedLater(begun, (sign) => `'${sign}`);
}

/** Takes away what `guardedToReturn` put in. */
export function unguarded(value: string): string {
  const begun = changedLater(value, (sign) => (sign.startsWith("'") ? sign.slice(1) : sign));
  return begun.startsWith("'") && isGuardedAtStart(begun.slice(1)) ? begun.slice(1) : begun;
}

function isGuardedAtStart(value: string): boolean {
  const bare = value.replace(/^'+/, '');
  return FORMULA.test(bare) && (bare !== value || !isE164(bare));
}
