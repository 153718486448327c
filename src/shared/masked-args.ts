const SECRET_NAME =
  /pass(word|wd|code|phrase)?$|secret|token|api_?key|credential|(^|_)(pin|otp|cvv|cvc)($|_)|card_?number/i;
const LONGEST = 1000;

/** Tool arguments for the tool log: secrets and `sensitive` parameters masked, long texts truncated. */
export function maskedArgs(
  args: Readonly<Record<string, unknown>>,
  sensitive: readonly string[] = [],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args)
      .slice(0, 50)
      .map(([name, value]) => [
        name.slice(0, 100),
        SECRET_NAME.test(name) || sensitive.includes(name) ? '***' : short(value),
      ]),
  );
}

function short(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, LONGEST);
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value) ?? '';
  return text.length <= LONGEST ? value : text.slice(0, LONGEST);
}
