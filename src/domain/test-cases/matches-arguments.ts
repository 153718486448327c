/** Whether a call has at least the expected arguments. */
export const matchesArguments = (
  expected: Readonly<Record<string, unknown>> | undefined,
  actual: Readonly<Record<string, unknown>>,
): boolean => expected === undefined || covers(expected, actual);

/**
 * Objects need the expected keys, lists the same length; texts are equal without regard to case and outer or repeated
 * spaces, and a number equals its text, because models send both.
 */
function covers(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((entry, at) => covers(entry, actual[at]))
    );
  if (isObject(expected))
    return (
      isObject(actual) &&
      Object.entries(expected).every(
        ([key, value]) => Object.hasOwn(actual, key) && covers(value, actual[key]),
      )
    );
  const wanted = plain(expected);
  return wanted === null ? expected === actual : wanted === plain(actual);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The comparable form of a text or a number; null for other values. */
function plain(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  return value.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
