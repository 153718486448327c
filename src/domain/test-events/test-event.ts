import type { EventSubscription } from '../../store/json/agent-version.ts';
import { errors } from '../../errors.ts';
import type { AddressRules } from '../../shared/address-rules.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import { findAgent, findVersion } from '../../store/agents/agents.ts';
import type { Db, Tx } from '../../store/database.ts';
import { listDeliveries } from '../../store/webhooks/delivery-log.ts';
import { insertEvents, type DeliveryTarget } from '../../store/webhooks/events.ts';
import { isChatAgent } from '../agents/agent-version.ts';
import { CAMPAIGN_COMPLETED } from '../../wire/events/campaign-completed.ts';
import { knownCampaign } from '../campaigns/read-campaigns.ts';
import { toDelivery, type Delivery } from '../webhooks/delivery-log.ts';
import { checkReceiverHeaders, checkReceiverUrl, normalAddress } from '../webhooks/receiver-rules.ts';
import { sampleEvent, type SampleSubject, type SampleType } from './sample-events.ts';
import { sealHeaders } from '../webhooks/sealed-headers.ts';
import { callbackTargets, targetsOf } from '../webhooks/subscriptions.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

interface TestDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly guard: AddressRules;
  readonly kickWebhooks?: () => void;
}

/** The receiver of a test event: the subscription of an agent's active version, a campaign's receiver, or a URL. */
export type TestReceiver =
  | { readonly agentId: string }
  | { readonly campaignId: string }
  | {
      readonly url: string;
      readonly method: 'POST' | 'PUT' | 'PATCH';
      readonly headers: Readonly<Record<string, string>>;
    };

/**
 * Queues a sample event for delivery like a real one: signed, up to four attempts, in the delivery log. Its body has
 * `test: true` and its call does not exist. Throws 404 for the agent or campaign, 400 if it has no receiver for the
 * event, and 422 for an invalid receiver. `onStored` runs in the same transaction.
 */
export async function sendTestEvent(
  deps: TestDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  eventType: SampleType,
  receiver: TestReceiver,
  onStored: (tx: Tx, sent: Delivery) => Promise<void>,
): Promise<Delivery> {
  const { subject, targets } = await addressee(deps, workspaceId, eventType, receiver);
  const [eventId, callId] = [newId(), newId()];
  const at = new Date(deps.clock.now());
  const body = sampleEvent(eventType, subject, { eventId, callId }, at);
  const sent = await commitChange(deps.db, change, async (tx) => {
    const event = {
      workspaceId,
      callId,
      eventId,
      eventType,
      dedup: 'test',
      body,
      at,
      isTest: true,
    };
    await insertEvents(tx, [{ event, targets }]);
    const ofCall = { callId, eventType: null, state: null, since: null };
    const [delivery] = await listDeliveries(tx, workspaceId, ofCall, { limit: 1, offset: 0, after: null });
    if (delivery === undefined) throw new Error('a test event has no delivery');
    const answer = toDelivery(delivery);
    await onStored(tx, answer);
    return answer;
  });
  deps.kickWebhooks?.();
  return sent;
}

interface Addressee {
  readonly subject: SampleSubject;
  readonly targets: DeliveryTarget[];
}

async function addressee(
  deps: TestDeps,
  workspaceId: string,
  eventType: SampleType,
  receiver: TestReceiver,
): Promise<Addressee> {
  if ('campaignId' in receiver) return ofCampaign(deps.db, workspaceId, eventType, receiver.campaignId);
  if ('agentId' in receiver) return ofAgent(deps.db, workspaceId, eventType, receiver.agentId);
  checkReceiverUrl({ guard: deps.guard, purpose: 'webhooks', workspaceId }, 'callback_url', receiver.url);
  checkReceiverHeaders('headers', receiver.headers);
  const { method } = receiver;
  const url = normalAddress(receiver.url);
  const agent = { id: newId(), name: 'Test agent', versionId: newId(), isChat: false };
  return {
    subject: { workspaceId, agent, campaign: null },
    targets: [{ url, method, headers: sealHeaders(deps.seal, receiver.headers) }],
  };
}

async function ofAgent(
  db: Db,
  workspaceId: string,
  eventType: SampleType,
  agentId: string,
): Promise<Addressee> {
  const agent = await namedAgent(db, workspaceId, agentId);
  const version = await findVersion(db, workspaceId, agent.id, agent.versionId);
  const config = version === undefined ? null : version.config;
  const subscriptions: EventSubscription[] = config?.eventSubscriptions ?? [];
  const targets = targetsOf(eventType, subscriptions);
  if (targets.length === 0) throw errors.eventNotSubscribed(eventType);
  return { subject: { workspaceId, agent, campaign: null }, targets };
}

/** Without the campaign's id in its deliveries: the end of the campaign does not wait for them. */
async function ofCampaign(
  db: Db,
  workspaceId: string,
  eventType: SampleType,
  campaignId: string,
): Promise<Addressee> {
  const { id, name, agentId, callback } = await knownCampaign(db, workspaceId, campaignId);
  // The receiver of call_completed also receives campaign_completed.
  const targets = callbackTargets(eventType === CAMPAIGN_COMPLETED ? 'call_completed' : eventType, callback);
  if (targets.length === 0) throw errors.eventNotOfCampaign(eventType);
  const agent = await namedAgent(db, workspaceId, agentId);
  return { subject: { workspaceId, agent, campaign: { id, name } }, targets };
}

async function namedAgent(db: Db, workspaceId: string, agentId: string): Promise<SampleSubject['agent']> {
  const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  return {
    id: agent.id,
    name: agent.displayName,
    versionId: agent.activeVersionId,
    isChat: isChatAgent(agent.agentType),
  };
}
