import type { FakeCarrierAccount } from './account.ts';
import type { FakeRequest } from './spec.ts';
import { orNull, text } from './spec-parts.ts';
import type { FakeCarrierKind } from './wires.ts';

/** A number of the account. */
export interface FakeNumber {
  /** In E.164 form. */
  readonly number: string;
  /** The application that takes its calls; null: none, or the carrier has the address at the number. */
  application: string | null;
  /** Where its calls go, at carriers that have the address at the number. */
  webhook: string | null;
}

/** The numbers and applications of an account. */
export class FakeNumberBook {
  readonly numbers: FakeNumber[] = [];
  /** Addresses of applications, by their ids. */
  readonly applications = new Map<string, { readonly name: string; url: string | null }>();

  add(...numbers: readonly string[]): void {
    for (const number of numbers) this.numbers.push({ number, application: null, webhook: null });
  }

  /** Where the calls of a number go; null: nowhere. */
  webhookOf(number: string): string | null {
    const known = this.numbers.find((one) => one.number === number);
    if (known === undefined) return null;
    return known.webhook ?? this.applications.get(known.application ?? '')?.url ?? null;
  }

  named(id: string): FakeNumber | undefined {
    return this.numbers.find(({ number }) => number === `+${id.replace(/^\D*/, '')}`);
  }
}

interface Said {
  readonly status: number;
  readonly body: unknown;
}
const say = (body: unknown, status = 200): Said => ({ status, body });
const idOf = ({ number }: FakeNumber): string => `id-${number.slice(1)}`;
const NONE = say({ error: 'not found' }, 404);

type Answering = (request: FakeRequest, account: FakeCarrierAccount, book: FakeNumberBook) => Said | null;

/** What the API says to a request about numbers and applications; null: it is about something else. */
export const answerAboutNumbers: Answering = (request, account, book) =>
  ANSWERS[account.kind]?.(request, account, book) ?? null;

const smartflo: Answering = ({ path }, _account, book) =>
  path === '/v1/my_number' ? say(book.numbers.map((one, id) => ({ id, did: one.number.slice(1) }))) : null;

const ANSWERS: Readonly<Partial<Record<FakeCarrierKind, Answering>>> = {
  twilio: (request, { account }, book) =>
    byNumber(request, `/2010-04-01/Accounts/${account}/IncomingPhoneNumbers`, book),
  signalwire: (request, { account }, book) =>
    byNumber(request, `/api/laml/2010-04-01/Accounts/${account}/IncomingPhoneNumbers`, book),
  telnyx,
  plivo,
  jambonz,
  exotel: ({ path }, { account }, book) =>
    path === `/v2_beta/Accounts/${account}/IncomingPhoneNumbers`
      ? say({ response: book.numbers.map((one) => ({ data: { sid: idOf(one), phone_number: one.number } })) })
      : null,
  smartflo,
  acefone: smartflo,
};

/** Twilio and SignalWire: the address is at the number. */
function byNumber(request: FakeRequest, at: string, book: FakeNumberBook): Said | null {
  if (request.method === 'GET' && request.path === `${at}.json`)
    return say({
      incoming_phone_numbers: book.numbers.map((one) => ({ sid: idOf(one), phone_number: one.number })),
      next_page_uri: null,
    });
  if (!request.path.startsWith(`${at}/`)) return null;
  const known = book.named(request.path.slice(at.length + 1).replace('.json', ''));
  if (known === undefined) return NONE;
  known.webhook = request.form.get('VoiceUrl');
  return say({ sid: idOf(known) });
}

function telnyx(
  request: FakeRequest,
  { application }: FakeCarrierAccount,
  book: FakeNumberBook,
): Said | null {
  const { method, path, json } = request;
  const at = `/v2/call_control_applications/${application}`;
  if (method === 'PATCH' && path === at) {
    // Telnyx wants the name with every change.
    if (text(json['application_name']) === '') return say({ errors: [{ code: '10015' }] }, 422);
    book.applications.set(application ?? '', { name: 'voice', url: orNull(json['webhook_event_url']) });
    return say({ data: { id: application } });
  }
  if (path === '/v2/phone_numbers')
    return say({
      data: book.numbers.map((one) => ({ id: idOf(one), phone_number: one.number })),
      meta: { total_pages: 1, page_number: 1 },
    });
  if (!path.startsWith('/v2/phone_numbers/')) return null;
  return bind(book, path.slice('/v2/phone_numbers/'.length), text(json['connection_id']));
}

function plivo(request: FakeRequest, { account }: FakeCarrierAccount, book: FakeNumberBook): Said | null {
  const { method, path, json } = request;
  const at = `/v1/Account/${account}`;
  if (path === `${at}/Number/`)
    return say({
      objects: book.numbers.map(({ number }) => ({ number: number.slice(1) })),
      meta: { next: null },
    });
  if (path.startsWith(`${at}/Number/`))
    return bind(book, path.slice(`${at}/Number/`.length).replace('/', ''), text(json['app_id']));
  if (path === `${at}/Application/` && method === 'GET')
    return say({
      objects: [...book.applications].map(([app_id, { name }]) => ({ app_id, app_name: name })),
    });
  if (path === `${at}/Application/`) {
    const name = text(json['app_name']);
    if ([...book.applications.values()].some((one) => one.name === name))
      return say({ error: 'app_name already exists' }, 400);
    const app_id = String(book.applications.size + 1);
    book.applications.set(app_id, { name, url: orNull(json['answer_url']) });
    return say({ app_id }, 201);
  }
  if (!path.startsWith(`${at}/Application/`)) return null;
  const known = book.applications.get(path.slice(`${at}/Application/`.length).replace('/', ''));
  if (known === undefined) return NONE;
  known.url = orNull(json['answer_url']);
  return say({ message: 'changed' }, 202);
}

function jambonz(request: FakeRequest, { account }: FakeCarrierAccount, book: FakeNumberBook): Said | null {
  const { method, path, json } = request;
  if (path === `/v1/Accounts/${account}/PhoneNumbers`)
    return say(book.numbers.map((one) => ({ phone_number_sid: idOf(one), number: one.number.slice(1) })));
  if (method !== 'PUT') return null;
  if (path.startsWith('/v1/Applications/')) {
    const hook = json['call_hook'] as { readonly url?: string } | undefined;
    book.applications.set(path.slice('/v1/Applications/'.length), {
      name: 'voice',
      url: hook?.url ?? null,
    });
    return say(null, 204);
  }
  return path.startsWith('/v1/PhoneNumbers/')
    ? bind(book, path.slice('/v1/PhoneNumbers/'.length), text(json['application_sid']))
    : null;
}

/** Gives a number to an application. */
function bind(book: FakeNumberBook, id: string, application: string): Said {
  const known = book.named(id);
  if (known === undefined || !book.applications.has(application)) return NONE;
  known.application = application;
  return say({ data: { id } });
}
