/** A variable that is being typed. */
export interface Begun {
  /** Behind its opening braces. */
  readonly from: number;
  /** The caret. */
  readonly caret: number;
  /** Its letters up to the caret. */
  readonly typed: string;
}

/** The longest name that the service reads. */
const LONGEST_NAME = 64;
const MOST_OFFERED = 8;
const NO_NAME = /[{}|\r\n]/;
const REST_OF_NAME = /^[\p{L}\p{M}\p{N}_.-]*/u;

/** The variable whose name the caret is in, behind `{{` and before `|` and `}}`; null: none. */
export function begunVariable(text: string, caret: number): Begun | null {
  const from = text.lastIndexOf('{{', caret - 2) + 2;
  if (from < 2 || from > caret) return null;
  const typed = text.slice(from, caret);
  return typed.length > LONGEST_NAME || NO_NAME.test(typed)
    ? null
    : { from, caret, typed: typed.trimStart() };
}

/**
 * The names that have what was typed, at most eight: those that begin with it, then those with a word that does, then the
 * others; each group in its order.
 */
export function offeredNames(names: readonly string[], typed: string): readonly string[] {
  const wanted = typed.toLowerCase();
  const rankOf = (name: string): number => {
    const small = name.toLowerCase();
    if (small.startsWith(wanted)) return 0;
    if (small.split(/[\s_.-]/).some((word) => word.startsWith(wanted))) return 1;
    return small.includes(wanted) ? 2 : 3;
  };
  return [...new Set(names)]
    .map((name) => ({ name, rank: rankOf(name) }))
    .filter(({ rank }) => rank < 3)
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, MOST_OFFERED)
    .map(({ name }) => name);
}

/**
 * What to put in place of the characters from `from` to `to` so that the variable has this name. The letters of a name
 * behind the caret go with it if braces or a fallback follow them, which stay.
 */
export function completion(
  text: string,
  { from, caret }: Begun,
  name: string,
): { readonly from: number; readonly to: number; readonly put: string } {
  const rest = text.slice(caret);
  const behind = REST_OF_NAME.exec(rest)?.[0].length ?? 0;
  if (rest.startsWith('}}', behind)) return { from, to: caret + behind + 2, put: `${name}}}` };
  if (rest.startsWith('|', behind)) return { from, to: caret + behind, put: name };
  return { from, to: caret, put: `${name}}}` };
}
