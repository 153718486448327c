import { templateContent, textContent } from '../../domain/whatsapp/compose.ts';
import { afterError, pausedBecause } from '../../domain/whatsapp/send-errors.ts';
import { isWindowOpen } from '../../domain/chats/service-window.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { Seal } from '../../shared/seal.ts';
import {
  markSent,
  markUnsent,
  settleUnsure,
  takeOutbox,
  type OutboxMessage,
} from '../../store/chats/outbox.ts';
import {
  numberOfWorkspace,
  pauseWhatsappNumber,
  type WhatsappNumberRow,
} from '../../store/chats/whatsapp-numbers.ts';
import type { Db } from '../../store/database.ts';
import type { GraphClient } from './graph-client.ts';
import { SendingLoop } from './sending-loop.ts';

export interface SenderDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly seal: Seal;
  readonly graph: GraphClient;
  /** How long a message whose answer was lost waits for the status that proves it sent. */
  readonly confirmMs: number;
  /** Absent: 500 ms. */
  readonly pollMs?: number;
}

const PARALLEL = 32;
/** Longer than a request may take. */
const LEASE_MS = 20_000;
const WINDOW_CLOSED = 131047;
const UNKNOWN_NUMBER = 100;

/**
 * Sends the messages of WhatsApp chats, in order for each customer. The Cloud API has no idempotency key: a message whose
 * answer was lost is sent again only if no status with its id arrives within `confirmMs`.
 */
export class WhatsappSender {
  readonly #deps: SenderDeps;
  readonly loop: SendingLoop;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.loop = new SendingLoop(
      () => this.#poll(),
      (error) => deps.log.error({ err: error }, 'sender: due messages could not be read; retrying'),
      deps.pollMs,
    );
  }

  async #poll(): Promise<void> {
    const { db, clock, confirmMs } = this.#deps;
    const now = clock.now();
    await settleUnsure(db, new Date(now), new Date(now + confirmMs));
    const limit = PARALLEL - this.loop.running;
    if (limit <= 0) return;
    const leaseUntil = new Date(now + LEASE_MS);
    for (const message of await takeOutbox(db, { now: new Date(now), leaseUntil, limit })) {
      this.loop.track(
        this.#send(message)
          .catch((error: unknown) => {
            this.#deps.log.error(
              { err: error, chatMessageId: message.id },
              'sender: send result could not be stored',
            );
          })
          // The next message of this customer may be waiting for this one.
          .then(() => this.loop.kick()),
      );
    }
  }

  async #send(message: OutboxMessage): Promise<void> {
    const { db, clock, seal, graph, confirmMs } = this.#deps;
    const number = await numberOfWorkspace(db, message.workspaceId, { id: message.numberId });
    const token = number === null ? null : seal.open(number.accessToken);
    if (number === null || token === null) return this.#refused(message, number, UNKNOWN_NUMBER);
    const isFree = isWindowOpen(message.customerAt, clock.now());
    if (!isFree && message.kind !== 'template') return this.#refused(message, number, WINDOW_CLOSED);
    const outcome = await graph.send(number.phoneNumberId, token, bodyOf(message));
    const inMs = (ms: number): Date => new Date(clock.now() + ms);
    switch (outcome.kind) {
      case 'sent':
        return markSent(db, message, outcome.id);
      case 'unsure':
        return markUnsent(db, message, { state: 'unsure', dueAt: inMs(confirmMs), errorCode: null });
      case 'unreached':
        return markUnsent(db, message, {
          state: 'queued',
          dueAt: inMs(1_000 * 2 ** Math.min(message.tries, 6)),
          errorCode: null,
        });
      case 'refused':
        return this.#refused(message, number, outcome.code);
      default:
        outcome satisfies never;
    }
  }

  async #refused(message: OutboxMessage, number: WhatsappNumberRow | null, code: number): Promise<void> {
    const { db, clock, log } = this.#deps;
    const next = afterError(code, message.tries);
    log.warn({ chatMessageId: message.id, code, next: next.do }, 'sender: WhatsApp refused a message');
    if (next.do === 'fail') return markUnsent(db, message, { state: 'failed', dueAt: null, errorCode: code });
    const waitMs = next.do === 'retry' ? next.waitMs : next.pauseMs;
    const dueAt = new Date(clock.now() + waitMs);
    if (next.do === 'pause' && number !== null)
      await pauseWhatsappNumber(db, number, dueAt, pausedBecause(code));
    return markUnsent(db, message, { state: 'queued', dueAt, errorCode: code });
  }
}

interface Content {
  readonly choices?: readonly string[];
  readonly template?: {
    readonly name: string;
    readonly language: string;
    readonly parameters: readonly string[];
  };
}

function bodyOf(message: OutboxMessage): object {
  const { choices = [], template }: Content = message.content ?? {};
  const id = message.customer.slice(message.customer.indexOf(':') + 1);
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...(message.customerNumber === null ? { recipient: id } : { to: message.customerNumber.slice(1) }),
    ...(template === undefined ? textContent(message.text, choices) : templateContent(template)),
    biz_opaque_callback_data: message.id,
  };
}
