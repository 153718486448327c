/**
 * Finds regular expressions whose backtracking is not linear. The pattern becomes a position automaton (Glushkov) over
 * classes of sample characters, in which three faults are searched for:
 * - exponential: two different paths lead from a state back to it over the same word, as in `(a*)*` and `(a|a)*`;
 * - polynomial: one word loops in state p, leads from p to q and loops in q, as in `a*a*b` and `\s*[^{}]+?\s*\}`;
 * - restart: the same with p = "the search has not started yet", as in `\s+$`: quadratic for an unanchored search.
 * A fault only counts if the match can still fail after q. Lookaround bodies are checked as patterns of their own.
 * Assertions inside a pattern are ignored, so a report may be wrong; bounded repetitions count as two copies, so
 * `a{0,9}` is never a loop. Repetitions of more than `LONG` are unbounded.
 */
const LONG = 100;
const COPIES = 2;

type Node =
  | { readonly type: 'char'; readonly source: string }
  | { readonly type: 'sequence' | 'choice'; readonly items: readonly Node[] }
  | { readonly type: 'repeat'; readonly item: Node; readonly min: number; readonly max: number }
  | { readonly type: 'assert'; readonly kind: string; readonly body: Node | null };

/** Parses the syntax that V8 accepts; nested classes of the flag `v` are not supported. */
class Parser {
  #at = 0;
  readonly #text: string;
  readonly lookarounds: Node[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Node {
    const items = [this.#sequence()];
    while (this.#text[this.#at] === '|') {
      this.#at += 1;
      items.push(this.#sequence());
    }
    return items.length === 1 && items[0] !== undefined ? items[0] : { type: 'choice', items };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at] ?? '')) {
      items.push(this.#quantified(this.#atom()));
    }
    return { type: 'sequence', items };
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    const sticky = new RegExp(pattern.source, 'yu');
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text);
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  #atom(): Node {
    const assertion = this.#take(/\^|\$|\\b|\\B/);
    if (assertion !== null) return { type: 'assert', kind: assertion[0], body: null };
    const group = this.#take(/\((?:\?(?:<?[=!]|<[\w$]+>|[a-z-]*:))?/);
    if (group !== null) {
      const body = this.parse();
      this.#at += 1;
      const kind = group[0].slice(2);
      if (!/^<?[=!]$/.test(kind)) return body;
      this.lookarounds.push(body);
      return { type: 'assert', kind, body };
    }
    if (this.#take(/\\(?:[1-9]\d*|k<[^>]*>)/) !== null) return { type: 'sequence', items: [] };
    const char = this.#take(
      /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|.)|\[(?:[^\]\\]|\\.)*\]|[^]/,
    );
    return { type: 'char', source: char?.[0] ?? '' };
  }

  #quantified(item: Node): Node {
    const found = this.#take(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/);
    if (found === null) return item;
    const [, sign, min = '0', comma, max = ''] = found;
    if (sign !== undefined) {
      return { type: 'repeat', item, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    }
    const upper = comma === '' ? Number(min) : max === '' ? Infinity : Number(max);
    return { type: 'repeat', item, min: Number(min), max: upper > LONG ? Infinity : upper };
  }
}

/** Whether a match may begin between two characters; an assertion at the start of a pattern. */
type Guard = (before: string, next: string) => boolean;
interface Start {
  readonly position: number;
  readonly guards: readonly Guard[];
}
interface Fragment {
  readonly isNullable: boolean;
  readonly first: readonly Start[];
  readonly last: readonly number[];
}
const EMPTY: Fragment = { isNullable: true, first: [], last: [] };

class Automaton {
  readonly sources: string[] = [];
  readonly follow: number[][] = [];
  readonly #flags: string;
  /** The assertions that may be skipped; the others end a path, so that `last` holds what surely matches. */
  readonly #holds: (kind: string) => boolean;

  constructor(flags: string, holds: (kind: string) => boolean) {
    this.#flags = flags;
    this.#holds = holds;
  }

  build(node: Node): Fragment {
    switch (node.type) {
      case 'char': {
        const position = this.#add(node.source);
        return { isNullable: false, first: [{ position, guards: [] }], last: [position] };
      }
      case 'assert':
        return this.#holds(node.kind) ? EMPTY : { isNullable: false, first: [], last: [] };
      case 'choice': {
        const options = node.items.map((item) => this.build(item));
        return {
          isNullable: options.some((option) => option.isNullable),
          first: options.flatMap((option) => option.first),
          last: options.flatMap((option) => option.last),
        };
      }
      case 'sequence':
        return this.#sequence(node.items);
      case 'repeat':
        return this.#repeat(node);
      default:
        return EMPTY;
    }
  }

  #add(source: string): number {
    this.sources.push(source);
    this.follow.push([]);
    return this.sources.length - 1;
  }

  #link(from: readonly number[], to: readonly Start[]): void {
    for (const position of from) this.follow[position]?.push(...to.map((start) => start.position));
  }

  #sequence(items: readonly Node[]): Fragment {
    let whole = EMPTY;
    const guards: Guard[] = [];
    for (const item of items) {
      if (item.type === 'assert' && whole.first.length === 0) guards.push(this.#guard(item));
      const next = this.build(item);
      this.#link(whole.last, next.first);
      const guarded = next.first.map((start) => ({ ...start, guards: [...guards, ...start.guards] }));
      whole = {
        isNullable: whole.isNullable && next.isNullable,
        first: whole.isNullable ? [...whole.first, ...guarded] : whole.first,
        last: next.isNullable ? [...whole.last, ...next.last] : next.last,
      };
    }
    return whole;
  }

  #repeat({ item, min, max }: Node & { readonly type: 'repeat' }): Fragment {
    if (max === 0) return EMPTY;
    const isLoop = max === Infinity;
    const copies = isLoop ? Math.max(1, Math.min(min, COPIES)) : Math.min(max, COPIES);
    let whole = EMPTY;
    for (let i = 0; i < copies; i += 1) {
      const copy = this.build(item);
      if (isLoop && i === copies - 1) this.#link(copy.last, copy.first);
      this.#link(whole.last, copy.first);
      const isNullable = copy.isNullable || i >= min;
      whole = {
        isNullable: whole.isNullable && isNullable,
        first: whole.isNullable ? [...whole.first, ...copy.first] : whole.first,
        last: isNullable ? [...whole.last, ...copy.last] : copy.last,
      };
    }
    return whole;
  }

  #guard({ kind, body }: Node & { readonly type: 'assert' }): Guard {
    const isWord = (char: string): boolean => /\w/.test(char);
    if (kind === '^') return (before) => this.#flags.includes('m') && /[\n\r\u2028\u2029]/.test(before);
    if (kind === '\\b') return (before, next) => isWord(before) !== isWord(next);
    if (kind === '\\B') return (before, next) => isWord(before) === isWord(next);
    const chars = body === null ? null : singleChars(body);
    if (!kind.startsWith('<') || chars === null) return () => true;
    const tests = chars.map((source) => matcher(source, this.#flags));
    return (before) => tests.some((test) => test(before)) === (kind === '<=');
  }
}

/** The characters of a body that is one character or a choice of single ones; `^` and `$` in a choice are ignored. */
function singleChars(node: Node): string[] | null {
  if (node.type === 'char') return [node.source];
  if (node.type === 'sequence') {
    const [item] = node.items;
    if (node.items.length !== 1 || item === undefined) return null;
    return item.type === 'assert' ? [] : singleChars(item);
  }
  if (node.type !== 'choice') return null;
  const parts = node.items.map(singleChars);
  return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
}

function matcher(source: string, flags: string): (char: string) => boolean {
  const pattern = new RegExp(`^(?:${source === '/' ? '\\/' : source})$`, flags.replaceAll(/[gymd]/g, ''));
  return (char) => pattern.test(char);
}

const SAMPLES = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...Array.from(
    '\u00A0\u00AD\u00B5éÉßſK一かक\u093F\u094D\u200C\u200D\u2028\u2029\u3000\uFEFFЖжابআ٣५😀‘’“”–—।？，\uE000\u0301',
  ),
];

/** A sample character for each class of characters that no position of the pattern distinguishes. */
function alphabet(sources: readonly string[], flags: string): { char: string; takes: readonly boolean[] }[] {
  const tests = sources.map((source) => matcher(source, flags));
  const classes = new Map<string, { char: string; takes: readonly boolean[] }>();
  const samples = [...SAMPLES, ...Array.from(sources.join(''))];
  // Without the flag `u` a pattern sees the two halves of an astral character.
  const chars = /[uv]/.test(flags) ? samples : samples.flatMap((sample) => sample.split(''));
  for (const char of new Set(chars)) {
    const takes = tests.map((test) => test(char));
    const key = `${takes.map(Number).join('')}${/\w/.test(char) ? 'w' : ''}${char === '\n' ? 'n' : ''}`;
    if (!classes.has(key)) classes.set(key, { char, takes });
  }
  return [...classes.values()];
}

export type Fault = 'exponential' | 'polynomial' | 'restart';

/** The worst fault of a pattern; null for a linear one. */
export function faultOf(source: string, flags: string): Fault | null {
  const parser = new Parser(source);
  const faults = [parser.parse(), ...parser.lookarounds].map((node) => faultOfNode(node, flags));
  return (['exponential', 'polynomial', 'restart'] as const).find((fault) => faults.includes(fault)) ?? null;
}

function faultOfNode(node: Node, flags: string): Fault | null {
  const automaton = new Automaton(flags, () => true);
  const { first } = automaton.build(node);
  const surelyMatches = new Set(new Automaton(flags, () => false).build(node).last);
  const matchesAtEnd = new Set(new Automaton(flags, (kind) => kind === '$').build(node).last);
  const { follow, sources } = automaton;
  const letters = alphabet(sources, flags);
  // A loop over every character reaches the end, where `$` holds.
  for (const at of matchesAtEnd) {
    if (follow[at]?.includes(at) === true && letters.every((letter) => letter.takes[at] === true)) {
      surelyMatches.add(at);
    }
  }
  const nexts = new Map(
    letters.map((letter) => [letter, follow.map((all) => all.filter((to) => letter.takes[to] === true))]),
  );
  const next = (from: number, letter: (typeof letters)[number]): number[] => nexts.get(letter)?.[from] ?? [];
  const reach = follow.map((_, from) => reachable(follow, from));
  const loops = follow.flatMap((_, at) => (reach[at]?.has(at) === true ? [at] : []));
  const isTogether = (a: number, b: number): boolean =>
    reach[a]?.has(b) === true && reach[b]?.has(a) === true;

  /** One state of each component: where one state has the fault, all that it lies on a common cycle with have it. */
  const apart = (states: readonly number[]): number[] =>
    states.filter((at, index) => !states.slice(0, index).some((earlier) => isTogether(earlier, at)));
  const search = searchAmong(Math.max(sources.length, letters.length));

  for (const start of apart(loops)) {
    const isExponential = search(
      [start, start, 0],
      ([a, b, diverged]) =>
        letters.flatMap((letter) => {
          const left = next(a, letter).filter((to) => isTogether(to, start));
          const right = next(b, letter).filter((to) => isTogether(to, start));
          // Two edges to one position are two paths too.
          const isDouble = a === b && new Set(left).size < left.length;
          return left.flatMap((l) =>
            right.map((r): State => [l, r, diverged === 1 || l !== r || isDouble ? 1 : 0]),
          );
        }),
      ([a, b, diverged]) => a === start && b === start && diverged === 1,
    );
    if (isExponential) return 'exponential';
  }
  const canFail = loops.filter((at) => !surelyMatches.has(at));
  for (const p of loops) {
    for (const q of canFail) {
      // Within one component the fault would be exponential: over `wwv`, v leading from q to p, p has two ways to itself.
      if (reach[p]?.has(q) !== true || isTogether(p, q)) continue;
      const isPolynomial = search(
        [p, p, q],
        ([a, b, c]) =>
          letters.flatMap((letter) => {
            const third = next(c, letter).filter((to) => isTogether(to, q));
            if (third.length === 0) return [];
            const one = next(a, letter).filter((to) => isTogether(to, p));
            const two = next(b, letter).filter((to) => to === q || reach[to]?.has(q) === true);
            return one.flatMap((x) => two.flatMap((y) => third.map((z): State => [x, y, z])));
          }),
        ([a, b, c]) => a === p && b === q && c === q,
      );
      if (isPolynomial) return 'polynomial';
    }
  }
  if (flags.includes('y')) return null;
  const outside = -1;
  // Only guards look at the character before the start.
  const befores = first.some(({ guards }) => guards.length > 0) ? [...letters.keys()] : [0];
  for (const q of apart(canFail)) {
    for (const before of befores) {
      const isRestart = search(
        [before, outside, q],
        ([last, b, c]) =>
          letters.flatMap((letter, index) => {
            const third = next(c, letter).filter((to) => isTogether(to, q));
            if (third.length === 0) return [];
            const starts = first.filter(
              ({ position, guards }) =>
                letter.takes[position] === true &&
                guards.every((guard) => guard(letters[last]?.char ?? '', letter.char)),
            );
            const two =
              b === outside ? [outside, ...starts.map(({ position }) => position)] : next(b, letter);
            return two.flatMap((y) => third.map((z): State => [befores.length > 1 ? index : 0, y, z]));
          }),
        ([last, b, c]) => last === before && b === q && c === q,
      );
      if (isRestart) return 'restart';
    }
  }
  return null;
}

type State = readonly [number, number, number];

type Search = (from: State, next: (at: State) => State[], isFound: (at: State) => boolean) => boolean;

/** Searches states whose numbers are from -1 to below `size`. */
function searchAmong(size: number): Search {
  const base = size + 1;
  return (from, next, isFound) => {
    const seen = new Set<number>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const to of next(at)) {
        if (isFound(to)) return true;
        const key = ((to[0] + 1) * base + to[1] + 1) * base + to[2] + 1;
        if (seen.has(key)) continue;
        seen.add(key);
        open.push(to);
      }
    }
    return false;
  };
}

function reachable(follow: readonly (readonly number[])[], from: number): Set<number> {
  const seen = new Set<number>();
  const open = [...(follow[from] ?? [])];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...(follow[at] ?? []));
  }
  return seen;
}
