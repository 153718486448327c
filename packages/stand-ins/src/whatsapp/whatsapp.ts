import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeMedia } from './media.ts';
import {
  FAKE_BUSINESS_ACCOUNT_ID,
  FAKE_TEMPLATES,
  templatePage,
  templateRefusal,
  type FakeTemplate,
} from './templates.ts';

/** Faults of the stand-in; a change applies to the next message. */
export interface WhatsappSwitches {
  /** The only access token that is accepted; null: any. */
  token: string | null;
  /** Every webhook is delivered twice. */
  duplicates: boolean;
  /** Webhooks that wait together are sent in reverse order. */
  reorder: boolean;
  /** Messages in one webhook. */
  batch: number;
  /** Signs with another secret. */
  wrongSignature: boolean;
  /** Statuses after `sent`. */
  skipDelivered: boolean;
  /** Accepts messages and reports them as failed with this code; 0: none. */
  failWith: number;
  /** Refuses this many next messages with `refuseWith`. */
  refuseNext: number;
  refuseWith: number;
  /** Accepts this many next messages and drops the connection before the answer. */
  dropNext: number;
  /** Codes with which messages to these digits are refused. */
  refuse: Record<string, number>;
  /** Codes with which messages to these digits are accepted and reported as failed. */
  fail: Record<string, number>;
  /** Sends no statuses. */
  isSilent: boolean;
  /** Customers without a number: only the business-scoped id. */
  hideNumbers: boolean;
  /** Pause before a webhook that was not answered with 200 is sent again. */
  retryMs: number;
}

export const WHATSAPP_SWITCHES: WhatsappSwitches = {
  token: null,
  duplicates: false,
  reorder: false,
  batch: 1,
  wrongSignature: false,
  skipDelivered: false,
  failWith: 0,
  refuseNext: 0,
  refuseWith: 131016,
  dropNext: 0,
  refuse: {},
  fail: {},
  isSilent: false,
  hideNumbers: false,
  retryMs: 200,
};

/** A message of a customer, to be delivered as a webhook. */
export interface CustomerSays {
  /** Digits without `+`. */
  readonly from: string;
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly name?: string;
  readonly type?: string;
  /** The object of the type; absent: `text`. */
  readonly content?: Readonly<Record<string, unknown>>;
  readonly text?: string;
  /** The message that it answers. */
  readonly context?: { readonly id: string };
}

export interface AcceptedMessage {
  readonly wamid: string;
  readonly to: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface FakeWhatsapp {
  /** WHATSAPP_BASE_URL of a service. */
  readonly baseUrl: string;
  readonly switches: WhatsappSwitches;
  /** Every message that was accepted, in order. */
  readonly accepted: readonly AcceptedMessage[];
  /** Files of customers' messages. */
  readonly media: FakeMedia;
  /** The templates of the account; tests may change them. */
  readonly templates: FakeTemplate[];
  /** Ids of customers' messages that were marked as read, in order. */
  readonly read: readonly string[];
  /** Where webhooks go, and what signs them. */
  connect(webhook: { readonly url: string; readonly appSecret: string }): void;
  /** Queues customers' messages; they are sent until the service answers 200. */
  say(...messages: readonly CustomerSays[]): void;
  /** Sends the statuses of an accepted message; `own`: the id that the service sent along. */
  report(wamid: string, to: string, own: string): void;
  /** Webhooks that were not answered with 200 yet. */
  pending(): number;
  close(): Promise<void>;
}

const PHONE_NUMBER_ID = '106540352242922';
const WINDOW_SECONDS = 24 * 3600;
const LONGEST_TEXT = 4096;
const PARALLEL = 16;

/**
 * A stand-in for the WhatsApp Business Cloud API on loopback: accepts messages as strictly as the vendors' reference
 * says, and delivers customers' messages and statuses as signed webhooks, at least once.
 */
export async function startFakeWhatsapp(
  options: {
    readonly port?: number;
    readonly now?: () => number;
    readonly switches?: Partial<WhatsappSwitches>;
  } = {},
): Promise<FakeWhatsapp> {
  const switches = { ...WHATSAPP_SWITCHES, ...options.switches };
  const now = options.now ?? Date.now;
  const accepted: AcceptedMessage[] = [];
  const templates = [...FAKE_TEMPLATES];
  const media = new FakeMedia(now);
  const marked: string[] = [];
  const heard = new Set<string>();
  const heardAt = new Map<string, number>();
  const queue: object[] = [];
  let webhook: { url: string; appSecret: string } | null = null;
  let isClosed = false;
  let sending = 0;

  /** Sends one webhook; the status of its answer, 0 for none. */
  const post = (target: { url: string; appSecret: string }, body: string): Promise<number> => {
    const secret = switches.wrongSignature ? 'another secret' : target.appSecret;
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    return fetch(target.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
      body,
      signal: AbortSignal.timeout(10_000),
    })
      .then(async (response) => {
        await response.arrayBuffer();
        return response.status;
      })
      .catch(() => 0);
  };
  const deliver = async (value: object): Promise<void> => {
    const entry = [{ id: FAKE_BUSINESS_ACCOUNT_ID, changes: [{ field: 'messages', value }] }];
    const body = escaped(JSON.stringify({ object: 'whatsapp_business_account', entry }));
    for (let sent = 0; sent < (switches.duplicates ? 2 : 1);) {
      // The address may have changed since the last try.
      if (isClosed || webhook === null) return;
      if ((await post(webhook, body)) === 200) sent += 1;
      else if (switches.wrongSignature) return;
      else await new Promise((resolve) => setTimeout(resolve, switches.retryMs));
    }
  };
  const pump = (): void => {
    if (isClosed || webhook === null) return;
    while (sending < PARALLEL && queue.length > 0) {
      const value = switches.reorder ? queue.pop() : queue.shift();
      if (value === undefined) return;
      sending += 1;
      void deliver(value).finally(() => {
        sending -= 1;
        pump();
      });
    }
  };
  const metadata = { display_phone_number: '15550783881', phone_number_id: PHONE_NUMBER_ID };
  const enqueue = (value: object): void => {
    queue.push({ messaging_product: 'whatsapp', metadata, ...value });
    pump();
  };
  const report = (wamid: string, to: string, own: unknown): void => {
    const status = (name: string, more: object = {}): void =>
      enqueue({
        statuses: [
          {
            id: wamid,
            status: name,
            timestamp: String(Math.floor(now() / 1000)),
            recipient_id: to,
            ...(typeof own === 'string' ? { biz_opaque_callback_data: own } : {}),
            ...more,
          },
        ],
      });
    if (switches.isSilent) return;
    const code = switches.fail[to] ?? switches.failWith;
    if (code !== 0) return status('failed', { errors: [{ code, title: 'failed' }] });
    status('sent');
    if (!switches.skipDelivered) status('delivered');
    status('read');
  };

  const say = (...messages: readonly CustomerSays[]): void => {
    for (const { from, timestamp } of messages)
      heardAt.set(from, Math.max(heardAt.get(from) ?? 0, timestamp));
    for (const { id } of messages) heard.add(id);
    const ordered = switches.reorder ? messages.toReversed() : messages;
    for (let at = 0; at < ordered.length; at += switches.batch) {
      const part = ordered.slice(at, at + switches.batch);
      enqueue({
        contacts: part.map((said) => ({
          profile: { name: said.name ?? 'Asha' },
          ...(switches.hideNumbers ? { user_id: `IN.${said.from}` } : { wa_id: said.from }),
        })),
        messages: part.map((said) => messageOf(said, switches.hideNumbers)),
      });
    }
  };

  const mark = (body: Record<string, unknown>, response: ServerResponse): void => {
    const id = body['message_id'];
    const typing = body['typing_indicator'] as { type?: unknown } | undefined;
    const isKnown = body['messaging_product'] === 'whatsapp' && typeof id === 'string' && heard.has(id);
    if (!isKnown || (typing !== undefined && typing.type !== 'text'))
      return refuse(response, 400, 100, 'message_id is unknown');
    marked.push(id);
    return reply(response, 200, { success: true });
  };

  const send = (phoneNumberId: string, body: Record<string, unknown>, response: ServerResponse): void => {
    if (phoneNumberId !== PHONE_NUMBER_ID) return refuse(response, 400, 100, 'Unsupported post request');
    if (body['status'] === 'read') return mark(body, response);
    const problem = problemOf(body);
    if (problem !== null) return refuse(response, 400, 100, problem);
    if (switches.refuseNext > 0) {
      switches.refuseNext -= 1;
      return refuse(response, 400, switches.refuseWith, 'refused on demand');
    }
    const to = addressOf(body);
    const refusal =
      switches.refuse[to] ??
      (body['type'] === 'template'
        ? templateRefusal(templates, body['template'] as Record<string, unknown>)
        : null);
    if (refusal !== null) return refuse(response, 400, refusal, 'refused');
    const lastAt = heardAt.get(to) ?? 0;
    if (body['type'] !== 'template' && lastAt + WINDOW_SECONDS < now() / 1000)
      return refuse(response, 400, 131047, 'Re-engagement message');
    const wamid = `wamid.OUT${accepted.length}`;
    accepted.push({ wamid, to, body });
    report(wamid, to, body['biz_opaque_callback_data']);
    if (switches.dropNext > 0) {
      switches.dropNext -= 1;
      return void response.destroy();
    }
    return reply(response, 200, {
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: to }],
      messages: [{ id: wamid }],
    });
  };

  const server = createServer((request, response) => {
    void read(request).then((text) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
      const path = pathname.split('/').filter((part) => part !== '');
      const body = jsonOf(text);
      if (body === null) return refuse(response, 400, 100, 'the body must be a JSON object');
      if (path[0] === 'fake' && path[1] === 'settings') {
        Object.assign(switches, body);
        return reply(response, 200, switches);
      }
      if (path[0] === 'fake' && path[1] === 'webhook') {
        webhook = { url: String(body['url']), appSecret: String(body['app_secret']) };
        pump();
        return reply(response, 200, { success: true });
      }
      if (path[0] === 'fake' && path[1] === 'inbound') {
        say({ timestamp: Math.floor(now() / 1000), id: `wamid.IN${performance.now()}`, from: '', ...body });
        return reply(response, 200, { success: true });
      }
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
      if (token === undefined || (switches.token !== null && token !== switches.token))
        return refuse(response, 401, 190, 'Invalid OAuth access token');
      const found =
        request.method !== 'GET' || path[1] === undefined
          ? null
          : path[0] === 'media'
            ? media.read(path[1])
            : media.describe(path[1], `http://${request.headers.host ?? ''}`);
      if (found !== null)
        return void response.writeHead(found.status, { 'content-type': found.type }).end(found.body);
      if (request.method === 'GET' && path[2] === 'message_templates') {
        if (path[1] !== FAKE_BUSINESS_ACCOUNT_ID)
          return refuse(response, 400, 100, 'Unsupported get request');
        return reply(response, 200, templatePage(templates, searchParams.get('after') ?? ''));
      }
      if (request.method === 'POST' && path[2] === 'messages') return send(path[1] ?? '', body, response);
      return refuse(response, 400, 100, 'Unsupported request');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v25.0`,
    switches,
    accepted,
    templates,
    media,
    read: marked,
    connect(target) {
      webhook = { ...target };
      pump();
    },
    say,
    report,
    pending: () => queue.length + sending,
    async close() {
      isClosed = true;
      // A webhook on its way would keep a connection of the service open.
      const isIdle = (): boolean => sending === 0;
      while (!isIdle()) await new Promise((resolve) => setTimeout(resolve, 10));
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** The id of the stand-in's only number. */
export const FAKE_PHONE_NUMBER_ID = PHONE_NUMBER_ID;

function messageOf(
  { from, id, timestamp, type = 'text', content, text, context }: CustomerSays,
  isHidden: boolean,
): object {
  return {
    ...(isHidden ? { from_user_id: `IN.${from}` } : { from }),
    id,
    timestamp: String(timestamp),
    type,
    [type]: content ?? { body: text ?? '' },
    ...(context === undefined ? {} : { context }),
  };
}

/** The customer's digits, by number or by business-scoped id. */
function addressOf({ to, recipient }: Readonly<Record<string, unknown>>): string {
  if (typeof to === 'string') return to;
  return typeof recipient === 'string' ? recipient.replace(/^[A-Z]{2}\./, '') : '';
}

/** Why a request to `/messages` is refused; null: it is not. */
function problemOf(body: Readonly<Record<string, unknown>>): string | null {
  if (body['messaging_product'] !== 'whatsapp') return 'messaging_product must be whatsapp';
  if (typeof body['to'] !== 'string' && typeof body['recipient'] !== 'string') return 'to is required';
  const type = body['type'];
  if (type === 'text') {
    const text = (body['text'] as { body?: unknown } | undefined)?.body;
    return typeof text === 'string' && text !== '' && text.length <= LONGEST_TEXT
      ? null
      : 'text.body is wrong';
  }
  return type === 'template' || type === 'interactive'
    ? typeof body[type] === 'object'
      ? null
      : `${type} is required`
    : 'type is not supported';
}

/** As Meta writes webhooks: every character beyond ASCII is escaped, and the signature covers these bytes. */
const escaped = (text: string): string =>
  text.replaceAll(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function jsonOf(text: string): Record<string, unknown> | null {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const reply = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const refuse = (response: ServerResponse, status: number, code: number, message: string): void =>
  reply(response, status, { error: { message: `(#${code}) ${message}`, type: 'OAuthException', code } });
