import { errors } from '../../errors.ts';
import type { Seal } from '../../shared/seal.ts';
import { looksSecret, maskedValue } from '../webhooks/sealed-headers.ts';
import { isSecret, type StoredSecret } from './tool-types.ts';

/** What a tool list has that may be a secret, whatever the tool. */
interface Secretive {
  url?: string;
  headers?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}
/** How a value sent back as it was shown looks. */
export const MASKED = /^.{0,4}\*\*\*$/su;
const PLACES = ['headers', 'query', 'body'] as const;

/**
 * Seals what looks like a secret. A masked value takes the stored one back, but only of a tool for the same origin:
 * otherwise a key holder could have a secret sent to another server. Throws 422 where none fits.
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
  // A long value is no secret in a body of text; in a header it may well be one.
  return looksSecret(name, isHeader ? value : '') ? sealSecret(seal, value) : value;
}

export const sealSecret = (seal: Seal, value: string): StoredSecret => ({
  sealed: seal.seal(value),
  shown: maskedValue(value),
});

/** Null where another key sealed it. */
export const openSecret = (seal: Seal, value: string | StoredSecret): string | null =>
  typeof value === 'string' ? value : seal.open(value.sealed);

/** A tool list as shown on read. */
export function showTools(tools: readonly object[] | undefined): Record<string, unknown>[] {
  return (tools ?? []).map((tool) =>
    Object.fromEntries(
      Object.entries(tool).map(([key, value]) => [
        key,
        (PLACES as readonly string[]).includes(key) ? showValues(value as Record<string, unknown>) : value,
      ]),
    ),
  );
}
const showValues = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isSecret(value) ? value.shown : value]),
  );

function originOf(tool: object): string {
  const { url = '' } = tool as Secretive;
  return URL.canParse(url) ? new URL(url).origin : '';
}
