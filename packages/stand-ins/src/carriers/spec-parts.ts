import type { FakeCarrierAccount } from './account.ts';
import { basicOf, type FakeHook } from './proof.ts';
import type { FakeCallState, FakeOrder, FakeRequest } from './spec.ts';

export type Hook = Omit<FakeHook, 'url'>;
export const form = (fields: Readonly<Record<string, string>>): Hook => ({
  method: 'POST',
  contentType: 'application/x-www-form-urlencoded',
  body: new URLSearchParams(fields).toString(),
});
export const json = (fields: object): Hook => ({
  method: 'POST',
  contentType: 'application/json',
  body: JSON.stringify(fields),
});
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const orNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
export const plus = (number: unknown): string => `+${text(number).replace(/^\+/, '')}`;
export const bare = (number: string): string => number.replace(/^\+/, '');
/** The address of the stream in an XML document; null: it has none. */
export const streamInXml = (document: string): string | null => {
  const from = document.indexOf('ws', document.indexOf('Stream'));
  if (from === -1) return null;
  const rest = document.slice(from);
  return rest.slice(0, rest.search(/["<]/)).replaceAll('&amp;', '&');
};
export const bearerIs = ({ headers }: FakeRequest, token: string): boolean =>
  headers.authorization === `Bearer ${token}`;
export const basicIs = ({ headers }: FakeRequest, { user, account, secret }: FakeCarrierAccount): boolean =>
  headers.authorization === basicOf(user ?? account, secret);
export const NO_ORDER: FakeOrder = {
  from: '',
  to: '',
  ringMs: 60_000,
  statusUrl: null,
  answerUrl: null,
  streamUrl: null,
  once: null,
  identifier: null,
};
/** Of a path that begins with `before`: the id that follows, and the rest. */
export const idIn = ({ path }: FakeRequest, before: string): [string, string] => {
  const [id = '', ...rest] = path.startsWith(before) ? path.slice(before.length).split('/') : [];
  return [decodeURIComponent(id), rest.join('/')];
};
export const NOT_FOUND = { status: 404, body: { error: 'not found' } };

/** States as Twilio names them. */
export const TWILIO_STATES: Readonly<Record<FakeCallState, string>> = {
  queued: 'queued',
  ringing: 'ringing',
  answered: 'in-progress',
  completed: 'completed',
  busy: 'busy',
  no_answer: 'no-answer',
  cancelled: 'canceled',
  failed: 'failed',
};
