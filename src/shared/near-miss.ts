/** Edits between two words, where two neighbouring letters in the wrong order are one edit (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : Infinity;
      row.push(Math.min(replaced, swapped, previous[j]! + 1, row[j - 1]! + 1));
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}

/**
 * Names in `given` that are probably misspellings of `known` ones. Short names tolerate fewer edits, because unrelated
 * short words such as HOME and HOST are close to each other.
 */
export function nearMisses(
  given: readonly string[],
  known: readonly string[],
): { given: string; meant: string }[] {
  const found: { given: string; meant: string }[] = [];
  for (const name of given) {
    if (known.includes(name) || name.length > 64) continue;
    const meant = known.find((k) => {
      const tolerated = k.length >= 8 ? 2 : k.length >= 6 ? 1 : 0;
      return (
        Math.abs(k.length - name.length) <= tolerated && editDistance(name.toUpperCase(), k) <= tolerated
      );
    });
    if (meant !== undefined) found.push({ given: name, meant });
  }
  return found;
}
