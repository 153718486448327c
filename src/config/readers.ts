import { isIP } from 'node:net';
import { splitEntry } from '../shared/allow-entry.ts';
import { isUuid } from '../shared/ids.ts';
import { mailboxOf, type Mailbox } from '../shared/mailbox.ts';
import { trimEndOf } from '../shared/trim.ts';

/** An invalid value; the message follows the variable's name. */
export class Invalid extends Error {}
export const fail = (rule: string): never => {
  throw new Invalid(rule);
};

export const text = (raw: string): string => raw;
/** A sentence that is spoken. */
export const line =
  (longest: number) =>
  (raw: string): string =>
    raw.trim().length <= longest && !/\p{Cc}/u.test(raw)
      ? raw.trim()
      : fail(`must be one line of at most ${longest} characters`);
export const oneOf =
  <T extends string>(allowed: readonly T[]) =>
  (raw: string): T =>
    allowed.find((a) => a === raw) ?? fail(`must be one of ${allowed.join(', ')}`);
export const integer =
  (min: number, max: number) =>
  (raw: string): number => {
    const value = /^\d{1,10}$/.test(raw) ? Number(raw) : Number.NaN;
    return value >= min && value <= max ? value : fail(`must be an integer from ${min} to ${max}`);
  };
export const decimal =
  (min: number, max: number) =>
  (raw: string): number => {
    const value = /^\d{1,9}(\.\d{1,6})?$/.test(raw) ? Number(raw) : Number.NaN;
    return value >= min && value <= max ? value : fail(`must be a number from ${min} to ${max}`);
  };
export const url =
  (...schemes: readonly string[]) =>
  (raw: string): string => {
    const parsed = URL.canParse(raw) ? new URL(raw) : null;
    return parsed !== null && schemes.includes(parsed.protocol.slice(0, -1))
      ? trimEndOf(raw, '/')
      : fail(`must be a URL that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`);
  };
export const mailbox = (raw: string): Mailbox =>
  mailboxOf(raw) ?? fail('must be an address such as calls@example.com or Name <calls@example.com>');
export const host = (raw: string): string =>
  isIP(raw) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?$/i.test(raw)
    ? raw
    : fail('must be an address or a host name');
/** `name=value` with commas between, the values percent-encoded, as OpenTelemetry defines it. */
export const otlpHeaders = (raw: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    raw.split(',').map((part) => {
      const [name = '', ...rest] = part.split('=');
      const value = decoded(rest.join('=').trim());
      const isHeader =
        part.includes('=') &&
        /^[\w!#$%&'*+.^`|~-]+$/.test(name.trim()) &&
        value !== null &&
        !/[\0\r\n]/.test(value);
      return isHeader
        ? [name.trim().toLowerCase(), value]
        : fail('must be header=value pairs, with commas between');
    }),
  );
const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};
/** An IP address or a CIDR range. */
export const addressOrRange = (raw: string): string => {
  const [address = '', bits, extra] = raw.split('/');
  const most = isIP(address) === 4 ? 32 : 128;
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
  return isIP(address) !== 0 && isRange && extra === undefined
    ? raw
    : fail(`must list IP addresses or CIDR ranges (${JSON.stringify(raw.slice(0, 60))} is neither)`);
};
/** An IP address, or `stun:host[:port]` of a server that reports it. */
export const publicAddress = (raw: string): string =>
  isIP(raw) !== 0 || /^stun:(\[[0-9a-f:.]+\]|[a-z0-9][a-z0-9.-]{0,252})(:\d{1,5})?$/i.test(raw)
    ? raw
    : fail('must be an IP address or stun:host[:port]');
export const portRange = (raw: string): { first: number; last: number } => {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(raw);
  const [first, last] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
  return match !== null && first >= 1024 && last <= 65_535 && last - first >= 3
    ? { first, last }
    : fail('must be a range such as 16000-23999 within 1024 to 65535, of at least 4 ports');
};
export const list =
  <T>(item: (raw: string) => T) =>
  (raw: string): T[] =>
    raw
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(item);
/** Addresses or names that a program listens on: each once, and a wildcard alone. */
export const hosts = (raw: string): string[] => {
  const all = list(host)(raw);
  const isAlone = all.length === 1;
  const isFitting = all.length > 0 && all.length <= 8 && new Set(all).size === all.length;
  return isAlone || (isFitting && !all.some((one) => one === '0.0.0.0' || one === '::'))
    ? all
    : fail('must be one to eight addresses or host names, each once, or 0.0.0.0 or :: alone');
};
/** An entry of SAFE_FETCH_ALLOW: a host, address or range, with a port, and a purpose before it if it has one. */
export const hostOrRange = (text: string): string => {
  const { entry: raw, purpose, workspaceId } = splitEntry(text);
  // Names are not unique, and a workspace changes its own.
  if (workspaceId !== null && (!isUuid(workspaceId) || purpose === 'llm')) {
    return fail(
      `must name a workspace by its id, after tools, webhooks or knowledge, as tools@<id>=host:port; ${JSON.stringify(text.slice(0, 60))} does not`,
    );
  }
  const [address = '', bits, extra] = raw.split('/');
  const family = isIP(address);
  const isRange =
    bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32) && !extra;
  if (bits === undefined ? family !== 0 : family !== 0 && isRange) return text;
  return bits === undefined &&
    /^([a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/i.test(raw)
    ? text
    : fail(`must list hosts, addresses or CIDR ranges; ${JSON.stringify(text.slice(0, 60))} is not one`);
};

/** A country (ISO 3166 alpha-2) or a prefix of E.164 numbers. */
export const destination = (raw: string): string =>
  /^(\+[1-9]\d{0,11}|[A-Z]{2})$/.test(raw) && raw !== 'UK'
    ? raw
    : fail(
        `must list countries such as US or prefixes such as +44 (${JSON.stringify(raw.slice(0, 60))} is neither; the United Kingdom is GB)`,
      );

export const bucket = (raw: string): string =>
  /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i.test(raw) ? raw : fail('must be a bucket name');
export const keyPrefix = (raw: string): string =>
  /^(?:[\w.=-]{1,100}\/){0,10}[\w.=-]{0,100}$/.test(raw) && !raw.split('/').includes('..')
    ? raw.replace(/([^/])$/, '$1/')
    : fail('must be folder names of letters, digits, ., _, = and - with / between them');
