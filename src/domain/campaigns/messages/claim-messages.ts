import type { Clock } from '../../../shared/clock.ts';
import {
  lockDueMessages,
  lockSending,
  markSending,
  noteSending,
  postponeMessages,
  type DueCampaign,
  type DueMessage,
  type SendingCampaign,
} from '../../../store/campaigns/message-claims.ts';
import { moveMessage, type MessageRef } from '../../../store/campaigns/messages.ts';
import { listWhatsappNumbers, type WhatsappNumberRow } from '../../../store/chats/whatsapp-numbers.ts';
import type { Db, Tx } from '../../../store/database.ts';
import type { JsonObject } from '../../../store/schema.ts';
import { pauseLocked } from '../hold-campaign.ts';
import { reasonSentence } from '../state-reason.ts';
import { nextOpening } from '../../call-windows/call-window.ts';
import { filledTemplate, templateProblems, templateText } from '../../whatsapp/template.ts';
import { messageWindow } from './next-step.ts';

/** A request that may leave now. */
export interface MessageToSend extends MessageRef {
  readonly campaignId: string;
  readonly number: WhatsappNumberRow;
  readonly toNumber: string;
  readonly content: JsonObject;
}

/** Longer than a request may take. */
const LEASE_MS = 20_000;
/** A person in a chat with the agent gets the campaign's message later. */
const CHAT_WAIT_MS = 10 * 60_000;

/**
 * Claims due messages of a campaign and commits that they are being sent, so that a crash leaves a trace of each. The
 * commit is the gate: state and end of the campaign, do-not-call lists and window hold for it, and the requests must
 * leave within the permit. `quota`: how many messages a number may send now.
 */
export function claimMessages(
  deps: { readonly db: Db; readonly clock: Clock },
  due: DueCampaign,
  quota: (number: WhatsappNumberRow, share: number) => number,
): Promise<MessageToSend[]> {
  return deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now();
    const at = new Date(now);
    const campaign = await lockSending(tx, due, at);
    if (campaign === null) return [];
    const numbers = await attachedNumbers(tx, campaign);
    if (numbers.length === 0) {
      await pauseLocked(tx, campaign.workspaceId, campaign.id, reasonSentence('no_whatsapp_number'), at);
      return [];
    }
    const share = (campaign.concurrencyPercentage ?? 100) / 100;
    const free = numbers.filter(({ pausedUntil }) => pausedUntil.getTime() <= now);
    const senders = inTurn(free, (number) => quota(number, share));
    if (senders.length === 0) return [];
    const messages = await lockDueMessages(tx, due, at, senders.length);
    const ready = await setAside(tx, campaign, messages, now);
    const template = campaign.template;
    const claimed = ready.flatMap((message, index): MessageToSend[] => {
      const number = senders[index];
      if (number === undefined) return [];
      const { workspaceId, id: campaignId } = campaign;
      const { id, toNumber, attempt } = message;
      const content = filledTemplate(template, message.args);
      return [{ workspaceId, campaignId, id, toNumber, number, content, attempt: attempt + 1 }];
    });
    await markSending(
      tx,
      due.workspaceId,
      claimed.map(({ id, number }, index) => ({
        id,
        numberId: number.id,
        text: templateText(template, ready[index]?.args ?? {}),
      })),
      at,
      new Date(now + LEASE_MS),
    );
    if (claimed.length > 0) await noteSending(tx, due, at);
    return claimed;
  });
}

/** Each number as often as `count` allows, one after the other. */
function inTurn(
  numbers: readonly WhatsappNumberRow[],
  count: (number: WhatsappNumberRow) => number,
): WhatsappNumberRow[] {
  const rounds = numbers.flatMap((number) =>
    Array.from({ length: count(number) }, (_, round) => ({ number, round })),
  );
  return rounds.toSorted((a, b) => a.round - b.round).map(({ number }) => number);
}

/** The numbers of the campaign's start that are still those of its agent. */
async function attachedNumbers(tx: Tx, campaign: SendingCampaign): Promise<WhatsappNumberRow[]> {
  const known = await listWhatsappNumbers(tx, campaign.workspaceId);
  return known.filter(({ id, agentId }) => campaign.numberIds.includes(id) && agentId === campaign.agentId);
}

/** Ends or postpones the messages that must not be sent now; returns the others. */
async function setAside(
  tx: Tx,
  campaign: SendingCampaign,
  messages: readonly DueMessage[],
  now: number,
): Promise<DueMessage[]> {
  const at = new Date(now);
  const { workspaceId } = campaign;
  const template = campaign.template;
  const ready: DueMessage[] = [];
  const later: { id: string; until: Date; subStatus: string }[] = [];
  const end = (message: DueMessage, subStatus: string): Promise<void> =>
    moveMessage(
      tx,
      { workspaceId, id: message.id, attempt: message.attempt },
      { status: 'failed', subStatus, state: null, endedAt: at },
      at,
    );
  for (const message of messages) {
    const opening = nextOpening(messageWindow({ ...campaign, toNumber: message.toNumber }), now);
    if (message.isListed) await end(message, 'DND_SKIPPED');
    // Checked at the import; a contact whose data was erased since has no values left.
    else if (opening === null || templateProblems(template, message.args).length > 0)
      await end(message, 'FAILED');
    else if (opening > now)
      later.push({ id: message.id, until: new Date(opening), subStatus: 'WINDOW_CLOSED' });
    else if (message.isChatting)
      later.push({ id: message.id, until: new Date(now + CHAT_WAIT_MS), subStatus: 'LIMIT_REACHED' });
    else ready.push(message);
  }
  await postponeMessages(tx, workspaceId, later, at);
  return ready;
}
