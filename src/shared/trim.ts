/** The text without the characters of `set` at its end. A loop, because `/[…]+$/` takes quadratic time on a long run. */
export function trimEndOf(text: string, set: string): string {
  let end = text.length;
  while (end > 0 && set.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
