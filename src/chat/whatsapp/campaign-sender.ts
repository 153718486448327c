import { claimMessages, type MessageToSend } from '../../domain/campaigns/messages/claim-messages.ts';
import {
  ownIdOf,
  releaseMessage,
  settleRefusal,
  UNDELIVERED_MS,
} from '../../domain/campaigns/messages/settle-message.ts';
import { SEND_WITHIN_MS } from '../../domain/campaigns/messages/permit.ts';
import { campaignsToSend, type DueCampaign } from '../../store/campaigns/message-claims.ts';
import { markAccepted, markUnsure, settleSilent } from '../../store/campaigns/messages.ts';
import type { WhatsappNumberRow } from '../../store/chats/whatsapp-numbers.ts';
import type { SenderDeps } from './sender.ts';
import { SendRate } from './send-rate.ts';
import { SendingLoop } from './sending-loop.ts';

const PARALLEL = 16;
/** A quarter of the vendor's limit, which answers to customers share. */
const PER_SECOND = 20;
const UNREACHED_WAIT_MS = 5_000;
const TOKEN_UNREADABLE = 190;

/**
 * Sends the messages of campaigns. Each is journalled before its request leaves; one whose answer was lost is never
 * sent again, because the Cloud API has no idempotency key: only a status can still settle it.
 */
export class CampaignSender {
  readonly #deps: SenderDeps;
  readonly loop: SendingLoop;
  readonly #rate = new SendRate(PER_SECOND);

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    this.loop = new SendingLoop(
      () => this.#poll(),
      (error) => deps.log.error({ err: error }, 'campaign sender: due messages could not be read; retrying'),
      deps.pollMs,
    );
  }

  async #poll(): Promise<void> {
    const { db, clock, confirmMs } = this.#deps;
    const now = clock.now();
    await settleSilent(db, new Date(now), new Date(now + confirmMs));
    for (const due of await campaignsToSend(db, new Date(now))) {
      if (this.loop.running >= PARALLEL) return;
      await this.#claim(due);
    }
  }

  async #claim(due: DueCampaign): Promise<void> {
    const { clock, log } = this.#deps;
    const taken = new Map<string, number>();
    const quota = ({ id }: WhatsappNumberRow, share: number): number => {
      const most = Math.max(1, Math.floor(PARALLEL * share)) - this.loop.running - total(taken);
      const count = this.#rate.take(id, clock.monotonic(), most);
      taken.set(id, count);
      return count;
    };
    const startedAt = clock.monotonic();
    const messages = await claimMessages(this.#deps, due, quota);
    for (const { number } of messages) taken.set(number.id, (taken.get(number.id) ?? 0) - 1);
    for (const [numberId, unused] of taken) this.#rate.giveBack(numberId, unused);
    for (const message of messages) {
      const sent = this.#send(message, startedAt).catch((error: unknown) => {
        log.error({ err: error, messageId: message.id }, 'campaign sender: send result could not be stored');
      });
      this.loop.track(sent);
    }
  }

  async #send(message: MessageToSend, claimedAt: number): Promise<void> {
    const { db, clock, seal, graph, confirmMs } = this.#deps;
    const token = seal.open(message.number.accessToken);
    if (token === null) return settleRefusal(this.#deps, message, TOKEN_UNREADABLE);
    // A pause or an end that waited for the permits of the campaign must stay true.
    if (clock.monotonic() - claimedAt > SEND_WITHIN_MS) return releaseMessage(this.#deps, message, 0);
    const outcome = await graph.send(message.number.phoneNumberId, token, bodyOf(message));
    const at = clock.now();
    switch (outcome.kind) {
      case 'sent':
        return markAccepted(db, message, {
          externalId: outcome.id,
          customer: outcome.customer,
          at: new Date(at),
          dueAt: new Date(at + UNDELIVERED_MS),
        });
      case 'unsure':
        return markUnsure(db, message, new Date(at + confirmMs));
      case 'unreached':
        return releaseMessage(this.#deps, message, UNREACHED_WAIT_MS);
      case 'refused':
        return settleRefusal(this.#deps, message, outcome.code);
      default:
        outcome satisfies never;
    }
  }
}

const total = (counts: ReadonlyMap<string, number>): number => {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
};

const bodyOf = (message: MessageToSend): object => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: message.toNumber.slice(1),
  ...message.content,
  biz_opaque_callback_data: ownIdOf(message),
});
