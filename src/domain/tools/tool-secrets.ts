import type { StoredSecret } from '../../store/json/tools.ts';
import { errors } from '../../errors.ts';
import type { Seal } from '../../shared/seal.ts';
import { looksSecret, maskedValue } from '../webhooks/sealed-headers.ts';
import { isSecret } from './tool-types.ts';

/** The parts of a tool that can hold secrets. */
interface Secretive {
  url?: string;
  headers?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}
/** A mask. */
export const MASKED = /^.{0,4}\*\*\*$/su;
const PLACES = ['headers', 'query', 'body'] as const;

/**
 * Seals values that look like secrets. A mask keeps the stored value, but only of a tool for the same origin:
 * otherwise a key holder could redirect a secret to another server. Throws 422 for a mask without a stored value.
 */
export function sealSecrets<T extends object>(
  seal: Seal,
  path: string,
  sent: readonly T[],
  stored: readonly object[],
): T[] {
  return sent.map((tool, index) => {
    const secretive = tool as Secretive;
    const kept = stored.filter((s) => originOf(s) === originOf(tool)) as Secretive[];
    const sealed = PLACES.flatMap((place) => {
      const values = secretive[place];
      if (values === undefined) return [];
      const entries = Object.entries(values).map(([name, value]) => {
        const known = kept.flatMap((k) => Object.entries(k[place] ?? {}));
        const field = `${path}[${index}].${place}.${name}`;
        return [name, sealedValue(seal, field, name, value, known, place === 'headers')] as const;
      });
      return [[place, Object.fromEntries(entries)] as const];
    });
    return { ...tool, ...Object.fromEntries(sealed) };
  });
}

function sealedValue(
  seal: Seal,
  field: string,
  name: string,
  value: unknown,
  known: readonly (readonly [string, unknown])[],
  isHeader: boolean,
): unknown {
  if (typeof value !== 'string') return value;
  const kept = known.find(
    ([n, v]) => n.toLowerCase() === name.toLowerCase() && isSecret(v) && v.shown === value,
  );
  if (kept !== undefined) return kept[1];
  if (MASKED.test(value)) {
    throw errors.invalid(field, 'is masked and no stored value of this server fits it; send the real value');
  }
  // A long value in a body is probably text, in a header probably a secret.
  return looksSecret(name, isHeader ? value : '') ? sealSecret(seal, value) : value;
}

export const sealSecret = (seal: Seal, value: string): StoredSecret => ({
  sealed: seal.seal(value),
  shown: maskedValue(value),
});

/** Null when another key sealed it. */
export const openSecret = (seal: Seal, value: string | StoredSecret): string | null =>
  typeof value === 'string' ? value : seal.open(value.sealed);

/** A tool list as shown on read: secrets are masked. */
export function maskTools(tools: readonly object[] | undefined): Record<string, unknown>[] {
  return (tools ?? []).map((tool) =>
    Object.fromEntries(
      Object.entries(tool).map(([key, value]) => [
        key,
        (PLACES as readonly string[]).includes(key) ? maskValues(value as Record<string, unknown>) : value,
      ]),
    ),
  );
}
const maskValues = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isSecret(value) ? value.shown : value]),
  );

function originOf(tool: object): string {
  const { url = '' } = tool as Secretive;
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** Shorter secrets would match inside ordinary words. */
const SHORTEST = 6;

/** Redacts secrets from an answer: a server may echo its request, and no key may reach prompts and logs. */
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
