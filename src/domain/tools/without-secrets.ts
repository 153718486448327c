/** Anything shorter would be found in the middle of words. */
const SHORTEST = 6;

/** A server that repeats its request must not carry a key into prompts and logs. */
export function withoutSecrets(data: unknown, secrets: readonly string[]): unknown {
  const sought = secrets
    .filter((secret) => secret.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length);
  return sought.length === 0 ? data : masked(data, sought);
}

function masked(data: unknown, secrets: readonly string[]): unknown {
  const text = (value: string): string =>
    secrets.reduce((left, secret) => left.replaceAll(secret, '***'), value);
  if (typeof data === 'string') return text(data);
  if (Array.isArray(data)) return data.map((item) => masked(item, secrets));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [text(key), masked(value, secrets)]));
}
