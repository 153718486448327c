/** A run of text that both texts have, or only one of them. */
export interface Words {
  readonly change: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Cells of the table of common subsequences; longer texts are compared by lines, and the longest as one piece. */
const MAX_CELLS = 2_000_000;

/**
 * The difference of two texts by words. The runs that are the same or removed give `before` when joined, those that are
 * the same or added give `after`. Pure.
 */
export function differenceByWords(before: string, after: string): Words[] {
  for (const pieces of [wordsOf, linesOf]) {
    const found = compared(pieces(before), pieces(after));
    if (found !== null) return found;
  }
  return joined([
    ['removed', before],
    ['added', after],
  ]);
}

const wordsOf = (text: string): readonly string[] => text.match(/\s+|\S+/g) ?? [];
const linesOf = (text: string): readonly string[] => text.split(/(?<=\n)/);

type Piece = readonly [change: Words['change'], text: string];

/** Null: too many cells. */
function compared(before: readonly string[], after: readonly string[]): Words[] | null {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const old = before.slice(start, before.length - end);
  const young = after.slice(start, after.length - end);
  if ((old.length + 1) * (young.length + 1) > MAX_CELLS) return null;
  const same = (text: string): Piece => ['same', text];
  return joined([
    ...before.slice(0, start).map(same),
    ...aligned(old, young),
    ...before.slice(before.length - end).map(same),
  ]);
}

/** Aligns the lists at their longest common subsequence. */
function aligned(old: readonly string[], young: readonly string[]): Piece[] {
  const width = young.length + 1;
  // Length of the longest common subsequence from here to the ends.
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = young.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        old[i] === young[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < young.length) {
    const [from, to] = [old[i], young[j]];
    if (from !== undefined && from === to) {
      pieces.push(['same', from]);
      [i, j] = [i + 1, j + 1];
    } else if (from !== undefined && (to === undefined || at(i + 1, j) >= at(i, j + 1))) {
      pieces.push(['removed', from]);
      i += 1;
    } else {
      pieces.push(['added', to ?? '']);
      j += 1;
    }
  }
  return pieces;
}

/** Joins neighbours of one kind and leaves empty ones out. */
function joined(pieces: readonly Piece[]): Words[] {
  const runs: { change: Words['change']; text: string }[] = [];
  for (const [change, text] of pieces) {
    const last = runs.at(-1);
    if (last?.change === change) last.text += text;
    else if (text !== '') runs.push({ change, text });
  }
  return runs;
}
