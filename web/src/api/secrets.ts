/** Fields whose values do not belong on a clipboard or in the history of a shell. */
const SECRETS = new Set([
  'password',
  'new_password',
  'code',
  'token',
  'api_key',
  'access_token',
  'app_secret',
]);
/** The service shows stored secrets like this; a mask keeps the stored value. */
const MASK = /\*\*\*$|•/;

/** Whether a masked secret is somewhere in the value: the page cannot send it anew. */
export const isMasked = (value: unknown): boolean =>
  typeof value === 'string'
    ? MASK.test(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(isMasked);

/** The value with a placeholder such as `<password>` in place of every secret. Masks and templates of headers stay. */
export function withoutSecrets(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each));
  if (typeof value === 'object' && value !== null) {
    const isHeaders = name === 'headers';
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        key,
        isHeaders ? headerOf(key, each) : withoutSecrets(each, key),
      ]),
    );
  }
  return typeof value === 'string' && SECRETS.has(name) && !MASK.test(value) ? `<${name}>` : value;
}

/** Headers that authenticate, by their names. */
const SECRET_HEADER = /auth|key|token|secret|cookie|password|signature/i;
const headerOf = (name: string, value: unknown): unknown =>
  typeof value === 'string' && SECRET_HEADER.test(name) && !MASK.test(value) && !value.includes('{{')
    ? `<${name}>`
    : value;

const simple = (name: string): string => name.replaceAll('_', '').toLowerCase();
const SECRET_NAMES = new Set([...SECRETS].map(simple));
const isSecretName = (name: string): boolean => SECRET_NAMES.has(simple(name)) || SECRET_HEADER.test(name);
const typedSecret = (value: string): string => (MASK.test(value) || value.includes('{{') ? value : '');

/** What a form holds with every typed secret left empty: fields, headers and parameters that authenticate by their names. */
export function withoutTypedSecrets(value: unknown, isHeaders = false): unknown {
  if (Array.isArray(value)) {
    const [name, text] = value as readonly unknown[];
    const isPair = value.length === 2 && typeof name === 'string' && typeof text === 'string';
    if (isPair && SECRET_HEADER.test(name)) return [name, typedSecret(text)];
    return value.map((each) => withoutTypedSecrets(each));
  }
  if (typeof value !== 'object' || value === null) return value;
  const { key: parameter } = value as { readonly key?: unknown };
  const isSecretParameter = typeof parameter === 'string' && isSecretName(parameter);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const isSecret =
        SECRET_NAMES.has(simple(name)) ||
        (isHeaders && SECRET_HEADER.test(name)) ||
        (isSecretParameter && name === 'value');
      return [
        name,
        typeof each === 'string' && isSecret
          ? typedSecret(each)
          : withoutTypedSecrets(each, name === 'headers'),
      ];
    }),
  );
}
