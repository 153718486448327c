import type { Clock } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import { isUuid } from '../../../shared/ids.ts';
import { lockCampaign } from '../../../store/campaigns/campaigns.ts';
import {
  lockMessage,
  lockReported,
  moveMessage,
  type MessageFacts,
  type MessageRef,
} from '../../../store/campaigns/messages.ts';
import { pauseWhatsappNumber } from '../../../store/chats/whatsapp-numbers.ts';
import type { Db, Tx } from '../../../store/database.ts';
import { pauseLocked } from '../hold-campaign.ts';
import { reasonSentence } from '../state-reason.ts';
import { pausedBecause } from '../../whatsapp/send-errors.ts';
import { afterRefusal, type MessageStep } from './next-step.ts';

export interface SettleDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

/** A message that WhatsApp accepted and never reported as delivered is completed after this time. */
export const UNDELIVERED_MS = 3_600_000;

/** What we send along with a request, and statuses repeat. */
export const ownIdOf = ({ id, attempt }: MessageRef): string => `${id}.${attempt}`;

/** The request was refused with the vendor's `code`. */
export async function settleRefusal(deps: SettleDeps, ref: MessageRef, code: number): Promise<void> {
  const found = await deps.db.transaction().execute(async (tx) => {
    const facts = await lockMessage(tx, ref);
    if (facts === null || facts.state !== 'sending') return null;
    return { facts, step: await refuse(tx, facts, code, deps.clock.now()) };
  });
  if (found !== null) await follow(deps, found.facts, found.step, code);
}

/** The request never left: it is sent again, and no try was used. */
export const releaseMessage = (deps: SettleDeps, ref: MessageRef, waitMs: number): Promise<void> =>
  deps.db.transaction().execute(async (tx) => {
    const facts = await lockMessage(tx, ref);
    if (facts === null || facts.state !== 'sending') return;
    const at = new Date(deps.clock.now());
    await moveMessage(
      tx,
      ref,
      {
        ...waiting(facts.attempt - 1),
        attempt: facts.attempt - 1,
        tries: facts.tries - 1,
        nextAttemptAt: new Date(at.getTime() + waitMs),
      },
      at,
    );
  });

const waiting = (attempts: number) => ({
  status: attempts > 0 ? ('retry' as const) : ('registered' as const),
  subStatus: attempts > 0 ? 'RETRY_SCHEDULED' : 'QUEUED',
  state: null,
});

async function refuse(tx: Tx, facts: MessageFacts, code: number, now: number): Promise<MessageStep> {
  const at = new Date(now);
  const step = afterRefusal(facts, code, now);
  const errorCode = code;
  switch (step.do) {
    case 'end':
      await moveMessage(
        tx,
        facts,
        { status: 'failed', subStatus: step.subStatus, state: 'failed', errorCode, endedAt: at },
        at,
      );
      break;
    case 'retry':
      await moveMessage(
        tx,
        facts,
        {
          ...waiting(facts.attempt),
          errorCode,
          nextAttemptAt: new Date(step.at),
          ...(step.isBudget ? { tries: 0, retriesUsed: facts.retriesUsed + 1 } : {}),
        },
        at,
      );
      break;
    case 'pause_number':
    case 'pause_campaign':
      await moveMessage(
        tx,
        facts,
        { ...waiting(facts.attempt), errorCode, tries: facts.tries - 1, nextAttemptAt: at },
        at,
      );
      break;
    default:
      step satisfies never;
  }
  return step;
}

/** Pauses the number or the campaign, apart from the message: repeating it changes nothing. */
async function follow(
  { db, clock, log }: SettleDeps,
  facts: MessageFacts,
  step: MessageStep,
  code: number,
): Promise<void> {
  log.warn(
    { campaignId: facts.campaignId, messageId: facts.id, code, next: step.do },
    'WhatsApp refused a message',
  );
  const at = new Date(clock.now());
  const { workspaceId, campaignId, numberId } = facts;
  if (step.do === 'pause_number' && numberId !== null) {
    const until = new Date(at.getTime() + step.pauseMs);
    await pauseWhatsappNumber(db, { workspaceId, id: numberId }, until, pausedBecause(code));
  }
  if (step.do !== 'pause_campaign') return;
  await db.transaction().execute(async (tx) => {
    const state = (await lockCampaign(tx, workspaceId, campaignId))?.campaign.state;
    if (state !== 'scheduled' && state !== 'ongoing') return;
    await pauseLocked(tx, workspaceId, campaignId, reasonSentence('template_refused', { error: code }), at);
  });
}

const RANKS = ['sending', 'unsure', 'sent', 'failed', 'delivered', 'read'] as const;
const OWN_ID = /^([0-9a-f-]{36})\.(\d{1,5})$/;

/** Applies a status of WhatsApp. False: it is no status of a campaign's message. */
export async function takeMessageStatus(
  deps: SettleDeps,
  workspaceId: string,
  status: {
    readonly id: string;
    readonly status: 'sent' | 'delivered' | 'read' | 'failed';
    readonly ownId: string | null;
    readonly errorCode: number | null;
  },
): Promise<boolean> {
  const [, id = '', attempt = ''] = OWN_ID.exec(status.ownId ?? '') ?? [];
  const own = isUuid(id) ? { id, attempt: Number(attempt) } : null;
  const result = await deps.db.transaction().execute(async (tx) => {
    const facts = await lockReported(tx, workspaceId, status.id, own);
    if (facts === null) return null;
    return { facts, step: await report(tx, facts, status, deps.clock.now()) };
  });
  if (result === null) return own !== null;
  if (result.step !== null) await follow(deps, result.facts, result.step, status.errorCode ?? -1);
  return true;
}

/** The step that follows a failure; null: none does. An older status never replaces a later one. */
async function report(
  tx: Tx,
  facts: MessageFacts,
  {
    id,
    status,
    errorCode,
  }: { id: string; status: 'sent' | 'delivered' | 'read' | 'failed'; errorCode: number | null },
  now: number,
): Promise<MessageStep | null> {
  if (facts.state === null || RANKS.indexOf(status) <= RANKS.indexOf(facts.state)) return null;
  const at = new Date(now);
  const isLive = facts.status === 'ongoing';
  if (status === 'failed') {
    if (isLive) return refuse(tx, facts, errorCode ?? -1, now);
    const ended = { status: 'failed', subStatus: 'FAILED', state: 'failed', errorCode, endedAt: at } as const;
    await moveMessage(tx, facts, ended, at);
    return null;
  }
  const seen = { state: status, externalId: id, sentAt: at } as const;
  if (status === 'sent') {
    await moveMessage(
      tx,
      facts,
      isLive
        ? { ...seen, status: 'ongoing', subStatus: 'SENT', dueAt: new Date(now + UNDELIVERED_MS) }
        : { ...seen, status: 'completed', subStatus: 'SENT', endedAt: at },
      at,
    );
    return null;
  }
  await moveMessage(
    tx,
    facts,
    {
      ...seen,
      status: 'completed',
      subStatus: facts.subStatus === 'ANSWERED' ? 'ANSWERED' : status.toUpperCase(),
      deliveredAt: at,
      ...(status === 'read' ? { readAt: at } : {}),
      endedAt: at,
    },
    at,
  );
  return null;
}
