/** A customer's message as WhatsApp delivers it (vendors' reference, W1). */
export interface InboundMessage {
  readonly phoneNumberId: string;
  readonly id: string;
  /** The business-scoped id if there is one, else the number: what identifies the customer. */
  readonly customer: string;
  /** Digits without `+`; null: the customer hides the number. */
  readonly number: string | null;
  readonly name: string;
  readonly sentAt: number;
  readonly kind: string;
  /** The words, or a description of what came instead of words; null: nothing to answer. */
  readonly text: string | null;
  /** False: no words; the answer asks for text. */
  readonly isReadable: boolean;
  /** The sound of a voice message, by the vendor's id; null: none. */
  readonly voiceId: string | null;
  /** The message that it quotes, or whose button it is. */
  readonly quotedId: string | null;
}

/** What became of a message of ours. */
export interface StatusUpdate {
  readonly phoneNumberId: string;
  readonly id: string;
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  /** Our own id, sent along with the message. */
  readonly ownId: string | null;
  readonly errorCode: number | null;
}

export interface WebhookUpdates {
  readonly messages: readonly InboundMessage[];
  readonly statuses: readonly StatusUpdate[];
  /** The WhatsApp Business account of each phone number id. */
  readonly accounts: ReadonlyMap<string, string>;
}

type Fields = Readonly<Record<string, unknown>>;
const MOST_ENTRIES = 1_000;
const LONGEST_ID = 512;
const LONGEST_TEXT = 16_384;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.slice(0, MOST_ENTRIES).map(fieldsOf) : [];
const textOf = (value: unknown, longest: number): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, longest) : null;
const idOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= LONGEST_ID ? value : null;

/** Messages and statuses of a webhook body. Unknown fields, types and shapes are left out; never throws. */
export function readWebhook(body: unknown, now: number): WebhookUpdates {
  const messages: InboundMessage[] = [];
  const statuses: StatusUpdate[] = [];
  const accounts = new Map<string, string>();
  for (const entry of listOf(fieldsOf(body)['entry'])) {
    for (const change of listOf(entry['changes'])) {
      if (change['field'] !== 'messages') continue;
      const value = fieldsOf(change['value']);
      const phoneNumberId = idOf(fieldsOf(value['metadata'])['phone_number_id']);
      if (phoneNumberId === null) continue;
      const account = ACCOUNT.exec(textOf(entry['id'], 40) ?? '')?.[0];
      if (account !== undefined && accounts.size < MOST_ENTRIES) accounts.set(phoneNumberId, account);
      const names = namesOf(value);
      for (const message of listOf(value['messages'])) {
        const read = readMessage(message, phoneNumberId, names, now);
        if (read !== null && messages.length < MOST_ENTRIES) messages.push(read);
      }
      for (const status of listOf(value['statuses'])) {
        const read = readStatus(status, phoneNumberId);
        if (read !== null && statuses.length < MOST_ENTRIES) statuses.push(read);
      }
    }
  }
  return { messages, statuses, accounts };
}

function namesOf(value: Fields): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const contact of listOf(value['contacts'])) {
    const name = textOf(fieldsOf(contact['profile'])['name'], 100);
    if (name === null) continue;
    for (const id of [idOf(contact['user_id']), idOf(contact['wa_id'])]) if (id !== null) names.set(id, name);
  }
  return names;
}

const MEDIA_ID = /^[\w-]{1,200}$/;
const mediaIdOf = (value: unknown): string | null =>
  typeof value === 'string' && MEDIA_ID.test(value) ? value : null;
const ACCOUNT = /^\d{5,32}$/;
const DIGITS = /^\+?(\d{5,17})$/;

function readMessage(
  message: Fields,
  phoneNumberId: string,
  names: ReadonlyMap<string, string>,
  now: number,
): InboundMessage | null {
  const id = idOf(message['id']);
  const number = DIGITS.exec(textOf(message['from'], 20) ?? '')?.[1] ?? null;
  const customer = idOf(message['from_user_id']) ?? number;
  const kind = textOf(message['type'], 40);
  if (id === null || customer === null || kind === null) return null;
  const seconds = Number(message['timestamp']);
  const isTime = Number.isSafeInteger(seconds) && seconds > 0 && seconds < 10_000_000_000;
  return {
    phoneNumberId,
    id,
    customer,
    number,
    name: names.get(customer) ?? (number === null ? '' : (names.get(number) ?? '')),
    sentAt: isTime ? seconds * 1000 : now,
    kind,
    ...contentOf(kind, message),
    voiceId: kind === 'audio' ? mediaIdOf(fieldsOf(message['audio'])['id']) : null,
    quotedId: idOf(fieldsOf(message['context'])['id']),
  };
}

const MEDIA: Readonly<Record<string, string>> = {
  audio: 'voice message',
  image: 'picture',
  video: 'video',
  document: 'document',
  sticker: 'sticker',
};
/** Nothing that a person expects an answer to. */
const SILENT: ReadonlySet<string> = new Set(['reaction', 'system', 'edit', 'revoke']);

function contentOf(kind: string, message: Fields): Pick<InboundMessage, 'text' | 'isReadable'> {
  const content = fieldsOf(message[kind]);
  const words = (value: unknown) => {
    const text = textOf(value, LONGEST_TEXT);
    return { text: text ?? '[empty message]', isReadable: text !== null };
  };
  if (SILENT.has(kind)) return { text: null, isReadable: false };
  if (kind === 'text') return words(content['body']);
  if (kind === 'button') return words(content['text'] ?? content['payload']);
  if (kind === 'interactive') {
    const type = textOf(content['type'], 40) ?? '';
    const chosen = fieldsOf(content[type]);
    return words(chosen['title'] ?? chosen['id'] ?? chosen['body']);
  }
  if (Object.hasOwn(MEDIA, kind)) {
    // The words under a picture are an ordinary message.
    const caption = textOf(content['caption'], LONGEST_TEXT);
    return { text: caption ?? `[${MEDIA[kind]}]`, isReadable: caption !== null };
  }
  if (kind === 'location') {
    const { latitude, longitude } = content;
    const place = textOf(content['name'], 200) ?? textOf(content['address'], 200) ?? '';
    if (typeof latitude !== 'number' || typeof longitude !== 'number')
      return { text: '[location]', isReadable: false };
    return { text: `[location] ${place} (${latitude}, ${longitude})`, isReadable: true };
  }
  return { text: '[unsupported message]', isReadable: false };
}

const STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;

function readStatus(status: Fields, phoneNumberId: string): StatusUpdate | null {
  const id = idOf(status['id']);
  // A voice message that was played was read.
  const name = status['status'] === 'played' ? 'read' : status['status'];
  const known = STATUSES.find((candidate) => candidate === name);
  if (id === null || known === undefined) return null;
  const code = listOf(status['errors'])[0]?.['code'];
  return {
    phoneNumberId,
    id,
    status: known,
    ownId: idOf(status['biz_opaque_callback_data']),
    errorCode: typeof code === 'number' && Number.isSafeInteger(code) ? code : null,
  };
}
