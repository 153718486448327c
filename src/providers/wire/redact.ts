/** Parts of a key that are this long count as the key: vendors and limits cut what they quote. */
const PART = 10;

/** Replaces secrets, and parts of `PART` characters of them, by `***`. */
export function redact(text: string, secrets: readonly (string | null)[]): string {
  return secrets.reduce<string>((left, secret) => (secret === null ? left : without(left, secret)), text);
}

function without(text: string, secret: string): string {
  if (secret.length <= PART) return secret === '' ? text : text.replaceAll(secret, '***');
  const parts = new Set<string>();
  for (let i = 0; i + PART <= secret.length; i++) parts.add(secret.slice(i, i + PART));
  let result = '';
  let shown = 0;
  for (let i = 0; i + PART <= text.length;) {
    if (!parts.has(text.slice(i, i + PART))) {
      i++;
      continue;
    }
    let end = i + PART;
    while (end < text.length && parts.has(text.slice(end - PART + 1, end + 1))) end++;
    result += `${text.slice(shown, i)}***`;
    shown = end;
    i = end;
  }
  return result + text.slice(shown);
}
