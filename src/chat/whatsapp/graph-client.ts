/** The outcome of one request to the Cloud API. */
export type GraphOutcome =
  | { readonly kind: 'sent'; readonly id: string }
  /** WhatsApp refused it; code 0 to 999999, see domain/whatsapp/send-errors.ts. */
  | { readonly kind: 'refused'; readonly code: number }
  /** The request did not leave. */
  | { readonly kind: 'unreached' }
  /** It left, and its answer was lost: it may have been accepted. */
  | { readonly kind: 'unsure' };

export interface GraphClient {
  send(phoneNumberId: string, token: string, body: object): Promise<GraphOutcome>;
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
    const { error, messages } = answer as {
      error?: { code?: unknown };
      messages?: readonly { id?: unknown }[];
    };
    if (typeof error?.code === 'number') return { kind: 'refused', code: error.code };
    const id = messages?.[0]?.id;
    if (status === 200 && typeof id === 'string') return { kind: 'sent', id };
    if (status === 401) return { kind: 'refused', code: UNAUTHORISED };
    return status >= 500 ? { kind: 'refused', code: TEMPORARY } : { kind: 'unsure' };
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
