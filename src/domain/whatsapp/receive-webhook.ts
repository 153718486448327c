import { isOptOutWord } from '@callwright/language';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import type { Seal } from '../../shared/seal.ts';
import { hasExternal } from '../../store/chats/messages.ts';
import { applyStatus, requeue } from '../../store/chats/outbox.ts';
import {
  findWhatsappNumber,
  learnAccount,
  numberOfWorkspace,
  type WhatsappNumberRow,
} from '../../store/chats/whatsapp-numbers.ts';
import type { JsonObject } from '../../store/schema.ts';
import type { AnsweredMessage, lockAnswered } from '../../store/campaigns/message-answers.ts';
import { lockOpenChat, type ChatRow } from '../../store/chats/chats.ts';
import type { Db, Tx } from '../../store/database.ts';
import { optOutNumber } from '../calls/opt-out.ts';
import { openChat } from '../chats/open-chat.ts';
import { receiveMessage } from '../chats/receive.ts';
import { isStorageFull } from '../workspaces/storage-quotas.ts';
import { afterError } from './send-errors.ts';
import { isSameSecret, isSigned } from './signature.ts';
import { readWebhook, type InboundMessage, type StatusUpdate } from './webhook.ts';

/** The messages of campaigns, as far as WhatsApp reports about them. */
export interface CampaignMessages {
  /** The message that an incoming message of a person answers; null: none. */
  findAnswered(
    tx: Tx,
    by: Omit<Parameters<typeof lockAnswered>[1], 'since'>,
    at: Date,
  ): Promise<AnsweredMessage | null>;
  takeAnswer(tx: Tx, chat: ChatRow, answered: AnsweredMessage, isOpened: boolean, at: Date): Promise<void>;
  /** False: it is no status of a campaign's message. */
  takeStatus(
    deps: Pick<WebhookDeps, 'db' | 'clock' | 'log'>,
    workspaceId: string,
    status: StatusUpdate,
  ): Promise<boolean>;
}

export interface WebhookDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly seal: Seal;
  readonly campaigns: CampaignMessages;
  /** Messages wait for an answer. */
  onMessages(): void;
}

/** Messages that arrive together are answered together, in the order in which they were sent. */
const GATHER_MS = 1_000;

/** Whether a WhatsApp number has this webhook. */
export const isWebhookOf = async ({ db }: Pick<WebhookDeps, 'db'>, numberId: string): Promise<boolean> =>
  isUuid(numberId) && (await findWhatsappNumber(db, numberId)) !== null;

/** The challenge of a verification request; null: token or mode is wrong. */
export async function verifyWebhook(
  deps: Pick<WebhookDeps, 'db'>,
  numberId: string,
  query: { readonly mode: string; readonly token: string; readonly challenge: string },
): Promise<string | null> {
  const number = isUuid(numberId) ? await findWhatsappNumber(deps.db, numberId) : null;
  if (number === null || query.mode !== 'subscribe') return null;
  return isSameSecret(query.token, number.verifyToken) ? query.challenge : null;
}

/**
 * Stores everything that a webhook delivers, each message once. False: nothing signed these bytes, and nothing was
 * read. A failure rejects, so that the sender repeats the webhook.
 */
export async function receiveWebhook(
  deps: WebhookDeps,
  numberId: string,
  raw: Buffer,
  signature: string | undefined,
): Promise<boolean> {
  const number = isUuid(numberId) ? await findWhatsappNumber(deps.db, numberId) : null;
  const secret = number === null ? null : deps.seal.open(number.appSecret);
  if (number === null || secret === null || !isSigned(raw, signature, secret)) return false;
  const updates = readWebhook(parsed(raw), deps.clock.now());
  const numbers = new Map<string, WhatsappNumberRow | null>([[number.phoneNumberId, number]]);
  const numberOf = async (phoneNumberId: string): Promise<WhatsappNumberRow | null> => {
    // An app has one callback address for all of its numbers.
    if (!numbers.has(phoneNumberId))
      numbers.set(phoneNumberId, await numberOfWorkspace(deps.db, number.workspaceId, { phoneNumberId }));
    return numbers.get(phoneNumberId) ?? null;
  };
  for (const [phoneNumberId, accountId] of updates.accounts) {
    const known = await numberOf(phoneNumberId);
    if (known?.businessAccountId === null) await learnAccount(deps.db, known, accountId);
  }
  for (const status of updates.statuses) {
    if ((await numberOf(status.phoneNumberId)) === null) continue;
    if (await deps.campaigns.takeStatus(deps, number.workspaceId, status)) continue;
    await takeStatus(deps, number.workspaceId, status);
  }
  let stored = 0;
  for (const message of updates.messages) {
    const at = await numberOf(message.phoneNumberId);
    if (at !== null && (await takeMessage(deps, at, message))) stored += 1;
  }
  if (stored > 0) deps.onMessages();
  return true;
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8').replaceAll('\0', '')) as unknown;
  } catch {
    return null;
  }
}

/**
 * False for a duplicate, for a kind that needs no answer, and for a message that would begin a chat while the workspace has reached
 * its quota of chats; an answer to a campaign's message begins one even then.
 */
async function takeMessage(
  { db, clock, log, campaigns }: WebhookDeps,
  number: WhatsappNumberRow,
  message: InboundMessage,
): Promise<boolean> {
  const { text } = message;
  if (text === null) return false;
  const { workspaceId } = number;
  return db.transaction().execute(async (tx) => {
    if (await hasExternal(tx, workspaceId, message.id)) return false;
    const at = new Date(clock.now());
    const { customer, quotedId } = message;
    const key = customerKey(number.id, customer);
    const by = { workspaceId, numberId: number.id, customer, number: message.number, quotedId };
    const answered = await campaigns.findAnswered(tx, by, at);
    const begins = { workspaceId, channel: 'whatsapp', customer: key } as const;
    if (
      answered === null &&
      (await isStorageFull(tx, workspaceId, 'chats')) &&
      (await lockOpenChat(tx, begins)) === null
    ) {
      // No agent reads the message, so an opt-out is recognised by its word.
      if (message.number !== null && isOptOutWord(text))
        await optOutNumber(tx, workspaceId, `+${message.number}`, at);
      log.warn(
        { workspaceId },
        'a WhatsApp message was dropped: its workspace has reached its quota of chats',
      );
      return false;
    }
    const id = newId();
    const chat = await openChat(
      tx,
      {
        id,
        workspaceId,
        agentId: number.agentId,
        versionId: null,
        channel: 'whatsapp',
        channelId: number.id,
        customer: key,
        customerNumber: message.number === null ? null : `+${message.number}`,
        customerName: answered?.calleeName || message.name,
        args: answered?.args ?? {},
      },
      at,
    );
    if (answered !== null) await campaigns.takeAnswer(tx, chat, answered, chat.id === id, at);
    return receiveMessage(
      tx,
      chat,
      {
        kind: message.kind,
        text: storableText(text),
        content: contentOf(message),
        externalId: message.id,
        sentAt: new Date(Math.min(message.sentAt, at.getTime())),
        customerName: storableText(message.name),
      },
      at,
      GATHER_MS,
    );
  });
}

export const customerKey = (numberId: string, customer: string): string => `${numberId}:${customer}`;

const contentOf = ({ isReadable, voiceId }: InboundMessage): JsonObject | null => {
  if (isReadable) return null;
  return { unreadable: true, ...(voiceId === null ? {} : { voice: voiceId }) };
};

const UNPAIRED = /\p{Surrogate}/gu;
/** PostgreSQL stores neither NUL nor half a character. */
const storableText = (text: string): string => text.replaceAll('\0', '').replaceAll(UNPAIRED, '\ufffd');

async function takeStatus(
  { db, clock, log }: WebhookDeps,
  workspaceId: string,
  status: StatusUpdate,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const changed = await applyStatus(tx, {
      workspaceId,
      externalId: status.id,
      ownId: status.ownId !== null && isUuid(status.ownId) ? status.ownId : null,
      state: status.status,
      errorCode: status.errorCode,
    });
    if (changed === null || status.status !== 'failed') return;
    const next = afterError(status.errorCode ?? -1, changed.tries);
    log.warn(
      { chatMessageId: changed.id, code: status.errorCode, next: next.do },
      'WhatsApp did not deliver',
    );
    if (next.do === 'retry') await requeue(tx, changed, new Date(clock.now() + next.waitMs));
  });
}
