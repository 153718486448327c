/**
 * Reads a fake provider's settings from its name: `fake:sttMs=100,finals=yes|next%20Tuesday`. Values are
 * percent-decoded, lists are separated by `|`. A malformed pair or an unknown key is an error, because a test
 * or bench that silently runs with defaults measures the wrong thing.
 */
export function parseFakeName(name: string, known: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  const colon = name.indexOf(':');
  const kind = colon < 0 ? name : name.slice(0, colon);
  if (kind !== 'fake') throw new Error(`Not a fake provider: ${kind.slice(0, 40)}`);
  if (colon < 0) return values;
  for (const pair of name.slice(colon + 1).split(',')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    if (equals <= 0) throw new Error(`Fake provider setting must be key=value: ${pair.slice(0, 40)}`);
    const key = pair.slice(0, equals);
    if (!known.includes(key)) throw new Error(`Unknown fake provider setting: ${key.slice(0, 40)}`);
    values.set(key, decode(pair.slice(equals + 1)));
  }
  return values;
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A non-negative number of the settings, or undefined when absent. */
export function numberSetting(values: ReadonlyMap<string, string>, key: string): number | undefined {
  const text = values.get(key);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new Error(`Fake provider setting ${key} must be a number of at least 0`);
  }
  return value;
}

/** A `|`-separated list of the settings, or undefined when absent. */
export function listSetting(values: ReadonlyMap<string, string>, key: string): string[] | undefined {
  const text = values.get(key);
  return text === undefined || text === '' ? undefined : text.split('|');
}

/** One of `allowed`, or undefined when absent. */
export function choiceSetting<T extends string>(
  values: ReadonlyMap<string, string>,
  key: string,
  allowed: readonly T[],
): T | undefined {
  const text = values.get(key);
  if (text === undefined) return undefined;
  const found = allowed.find((value) => value === text);
  if (found === undefined)
    throw new Error(`Fake provider setting ${key} must be one of ${allowed.join(', ')}`);
  return found;
}
