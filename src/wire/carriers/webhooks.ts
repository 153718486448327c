import type { CarrierCallState } from '../../shared/carrier-status.ts';

/** A request of a carrier. */
export interface CarrierHttpRequest {
  readonly method: string;
  /** The public address as the carrier has it. */
  readonly url: string;
  readonly raw: Buffer;
  readonly headers: Readonly<Record<string, unknown>>;
  /** When it came, epoch ms. */
  readonly at: number;
}

/** A field of a request, at most 200 characters; empty: it has none. In JSON `a.b` is in the object `a`. */
export type Field = (...names: readonly string[]) => string;

/** A call that we place: the attempt, and the token of its stream. */
export interface PlacedStream {
  readonly attemptId: string;
  readonly token: string;
}

/** How one carrier proves its requests, and what their fields mean. Pure. */
export interface CarrierWebhooks {
  /** The setting of the trunk that proves a request. */
  readonly provenBy: 'password' | 'signing_key';
  /** Whether the secret of the account signed the request. */
  isSigned(request: CarrierHttpRequest, form: URLSearchParams, secret: string): boolean;
  /** The account that the request names; null: this carrier's requests name none. */
  accountOf(field: Field): string | null;
  callIdOf(field: Field): string;
  /** Numbers of the call. */
  partiesOf(field: Field): { readonly from: string; readonly to: string };
  /** False: the request announces no new call; absent: each does. */
  isNew?(field: Field): boolean;
  /** The call comes over AudioSocket instead of a WebSocket; absent: none does. */
  isAudioSocket?(field: Field): boolean;
  /** The call that we place, where a request names it by itself; absent: none does. */
  placedOf?(field: Field): PlacedStream | null;
  /** Null: the report says nothing new. */
  stateOf(field: Field): CarrierCallState | null;
  sipCodeOf(field: Field): number | null;
  /** Headers of which one signs the upgrade of a stream; absent: the carrier signs none. */
  readonly upgrade?: {
    readonly headers: readonly string[];
    /** The carrier signs every upgrade: one without a signature is none of the carrier. */
    readonly always: boolean;
  };
}

/** The text of a header; empty: the request has none, or several. */
export const headerOf = ({ headers }: CarrierHttpRequest, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

/** A SIP status in a field; null: it is none. */
export function sipStatus(text: string): number | null {
  const code = Number(text);
  return Number.isInteger(code) && code >= 100 && code < 700 ? code : null;
}

/** The fields of a request: of its body in JSON or as a form, and of its query. */
export function fieldsOf({ raw, url }: CarrierHttpRequest, form: URLSearchParams): Field {
  const json = jsonOf(raw);
  const query = new URL(url).searchParams;
  const read = (name: string): string => {
    const value = json === null ? (form.get(name) ?? undefined) : at(json, name);
    const text = typeof value === 'number' ? String(value) : value;
    return (typeof text === 'string' ? text : (query.get(name) ?? '')).slice(0, MOST_CHARS);
  };
  return (...names) => names.map(read).find((text) => text !== '') ?? '';
}

const MOST_CHARS = 200;

/** The object of a body in JSON; null: it is none. */
function jsonOf(raw: Buffer): unknown {
  if (raw[0] !== 0x7b) return null;
  try {
    return JSON.parse(raw.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

const at = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce(
      (value: unknown, name) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
      body,
    );
