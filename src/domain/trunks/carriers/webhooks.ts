import type { CarrierCallState } from '../../../shared/carrier-status.ts';

/** A request of a carrier. */
export interface CarrierHttpRequest {
  /** The public address as the carrier has it. */
  readonly url: string;
  readonly raw: Buffer;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A field of a request's form, at most 200 characters; empty: the form has none. */
export type Field = (name: string) => string;

/** How one carrier signs its requests, and what their forms mean. Pure. */
export interface CarrierWebhooks {
  /** Whether the secret of the account signed the request. */
  isSigned(request: CarrierHttpRequest, form: URLSearchParams, secret: string): boolean;
  /** The account that the form names; null: this carrier's forms name none. */
  accountOf(field: Field): string | null;
  callIdOf(field: Field): string;
  /** Null: the report says nothing new. */
  stateOf(field: Field): CarrierCallState | null;
  sipCodeOf(field: Field): number | null;
}

/** The text of a header; empty: the request has none, or several. */
export const headerOf = ({ headers }: CarrierHttpRequest, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};
