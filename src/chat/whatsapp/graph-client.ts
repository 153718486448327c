import type { TemplateList } from '../../domain/chats/template-source.ts';
import type { Template } from '../../store/json/template.ts';
import { readTemplates } from '../../domain/whatsapp/template.ts';

/** The outcome of one request to the Cloud API. */
export type GraphOutcome =
  | {
      readonly kind: 'sent';
      readonly id: string;
      /** WhatsApp's id of the person, which can differ from the number sent to; null: none was given. */
      readonly customer: string | null;
    }
  /** WhatsApp refused it; code 0 to 999999, see domain/whatsapp/send-errors.ts. */
  | { readonly kind: 'refused'; readonly code: number }
  /** The request did not leave. */
  | { readonly kind: 'unreached' }
  /** It left, and its answer was lost: it may have been accepted. */
  | { readonly kind: 'unsure' };

export interface GraphClient {
  send(phoneNumberId: string, token: string, body: object): Promise<GraphOutcome>;
  /** The templates of a WhatsApp Business account. */
  templates(businessAccountId: string, token: string): Promise<TemplateList>;
  /** Marks a customer's message as read and shows that an answer is being written. Rejects when it cannot be sent. */
  markRead(phoneNumberId: string, token: string, messageId: string): Promise<void>;
}

const TIMEOUT_MS = 15_000;
const MOST_BYTES = 64 * 1024;
/** Codes of a connection that was never opened. */
const NOT_OPENED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH']);
const UNAUTHORISED = 190;
const TEMPORARY = 2;

/** Sends messages over the WhatsApp Business Cloud API. `baseUrl` has the version: https://graph.facebook.com/v25.0. */
export const graphClient = (baseUrl: string, timeoutMs = TIMEOUT_MS): GraphClient => ({
  async send(phoneNumberId, token, body) {
    let status: number;
    let answer: unknown;
    try {
      const response = await post(baseUrl, phoneNumberId, token, body, timeoutMs);
      status = response.status;
      answer = JSON.parse((await response.text()).slice(0, MOST_BYTES));
    } catch (error) {
      const { cause } = error as { cause?: { code?: unknown } };
      return { kind: NOT_OPENED.has(cause?.code) ? 'unreached' : 'unsure' };
    }
    const { error, messages, contacts } = answer as {
      error?: { code?: unknown };
      messages?: readonly { id?: unknown }[];
      contacts?: readonly { wa_id?: unknown; user_id?: unknown }[];
    };
    if (typeof error?.code === 'number') return { kind: 'refused', code: error.code };
    const id = messages?.[0]?.id;
    const customer = contacts?.[0]?.wa_id ?? contacts?.[0]?.user_id;
    if (status === 200 && typeof id === 'string')
      return { kind: 'sent', id, customer: typeof customer === 'string' ? customer.slice(0, 512) : null };
    if (status === 401) return { kind: 'refused', code: UNAUTHORISED };
    return status >= 500 ? { kind: 'refused', code: TEMPORARY } : { kind: 'unsure' };
  },

  async templates(businessAccountId, token) {
    const templates: Template[] = [];
    let after: string | null = '';
    for (let page = 0; after !== null && page < MOST_PAGES; page += 1) {
      const read = await templatePage(baseUrl, businessAccountId, token, after, timeoutMs);
      if (!read.ok) return read;
      templates.push(...read.templates);
      ({ after } = read);
    }
    return { ok: true, templates };
  },

  async markRead(phoneNumberId, token, messageId) {
    const body = {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: messageId,
      typing_indicator: { type: 'text' },
    };
    await (await post(baseUrl, phoneNumberId, token, body, timeoutMs)).arrayBuffer();
  },
});

const MOST_PAGES = 20;
const PAGE_BYTES = 8 * 1_048_576;
const FIELDS = 'name,language,status,category,components,parameter_format';

async function templatePage(
  baseUrl: string,
  businessAccountId: string,
  token: string,
  after: string,
  timeoutMs: number,
): Promise<
  | { readonly ok: true; readonly templates: readonly Template[]; readonly after: string | null }
  | { readonly ok: false; readonly code: number | null }
> {
  const query = new URLSearchParams({ fields: FIELDS, limit: '100', ...(after === '' ? {} : { after }) });
  try {
    const response = await fetch(
      `${baseUrl}/${encodeURIComponent(businessAccountId)}/message_templates?${query.toString()}`,
      {
        headers: { authorization: `Bearer ${token}` },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      },
    );
    const answer = JSON.parse((await cappedBody(response, PAGE_BYTES)).toString('utf8')) as {
      error?: { code?: unknown };
      paging?: { next?: unknown; cursors?: { after?: unknown } };
    } | null;
    if (typeof answer?.error?.code === 'number') return { ok: false, code: answer.error.code };
    if (!response.ok) return { ok: false, code: response.status === 401 ? UNAUTHORISED : null };
    const cursor = answer?.paging?.next === undefined ? null : answer.paging.cursors?.after;
    return {
      ok: true,
      templates: readTemplates(answer),
      after: typeof cursor === 'string' && cursor !== '' ? cursor : null,
    };
  } catch {
    return { ok: false, code: null };
  }
}

/** Rejects for a body of more than `most` bytes. */
async function cappedBody(response: Response, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > most) throw new Error(`the answer is longer than ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const post = (
  baseUrl: string,
  phoneNumberId: string,
  token: string,
  body: object,
  timeoutMs: number,
): Promise<Response> =>
  fetch(`${baseUrl}/${encodeURIComponent(phoneNumberId)}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
