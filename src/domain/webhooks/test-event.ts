import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import { findAgent, findVersion } from '../../store/agents.ts';
import type { Db, Tx } from '../../store/database.ts';
import { listDeliveries } from '../../store/delivery-log.ts';
import { insertEvents, type DeliveryTarget } from '../../store/events.ts';
import type { EventSubscription, VersionConfig } from '../agents/agent-version.ts';
import { CAMPAIGN_COMPLETED } from '../campaigns/campaign-completed.ts';
import { knownCampaign } from '../campaigns/read-campaigns.ts';
import { toEntry, type DeliveryEntry } from './delivery-log.ts';
import { checkReceiverHeaders, checkReceiverUrl, normalAddress } from './receiver-rules.ts';
import { sampleEvent, type SampleSubject, type SampleType } from './sample-events.ts';
import { sealHeaders } from './sealed-headers.ts';
import { callbackTargets, targetsOf } from './subscriptions.ts';

interface TestDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly kickWebhooks?: () => void;
}

/** Where a test event goes: as an agent's active version subscribes, to a campaign's own receiver, or to one named here. */
export type TestReceiver =
  | { readonly agentId: string }
  | { readonly campaignId: string }
  | {
      readonly url: string;
      readonly method: 'POST' | 'PUT' | 'PATCH';
      readonly headers: Readonly<Record<string, string>>;
    };

/**
 * Sends a sample of an event by the way real ones go: signed, tried four times, in the log. Its body says `test: true`
 * and its call does not exist. Throws 404 for the agent or campaign, 400 when it has no receiver for the event, 422 for
 * a receiver nothing can be sent to. `onStored` runs in the transaction that writes it.
 */
export async function sendTestEvent(
  deps: TestDeps,
  workspaceId: string,
  eventType: SampleType,
  receiver: TestReceiver,
  onStored: (tx: Tx, sent: DeliveryEntry) => Promise<void>,
): Promise<DeliveryEntry> {
  const { subject, targets } = await addressee(deps, workspaceId, eventType, receiver);
  const [eventId, callId] = [newId(), newId()];
  const at = new Date(deps.clock.now());
  const body = sampleEvent(eventType, subject, { eventId, callId }, at);
  const sent = await deps.db.transaction().execute(async (tx) => {
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
    const [delivery] = await listDeliveries(tx, workspaceId, ofCall, { limit: 1, offset: 0 });
    if (delivery === undefined) throw new Error('a test event was written without its delivery');
    const answer = toEntry(delivery);
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
  checkReceiverUrl('callback_url', receiver.url);
  checkReceiverHeaders('headers', receiver.headers);
  const { method } = receiver;
  const url = normalAddress(receiver.url);
  const agent = { id: newId(), name: 'Test agent', versionId: newId() };
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
  const config = version?.config as unknown as VersionConfig | undefined;
  const subscriptions: EventSubscription[] = config?.event_subscriptions ?? [];
  const targets = targetsOf(eventType, subscriptions);
  if (targets.length === 0) throw errors.eventNotSubscribed(eventType);
  return { subject: { workspaceId, agent, campaign: null }, targets };
}

/** Its deliveries are not marked as the campaign's: nothing waits for them. */
async function ofCampaign(
  db: Db,
  workspaceId: string,
  eventType: SampleType,
  campaignId: string,
): Promise<Addressee> {
  const { id, name, agent_id: agentId, callback } = await knownCampaign(db, workspaceId, campaignId);
  // What closes the campaign comes beside what its receiver is told of the calls.
  const targets = callbackTargets(eventType === CAMPAIGN_COMPLETED ? 'call_completed' : eventType, callback);
  if (targets.length === 0) throw errors.campaignNotTold(eventType);
  const agent = await namedAgent(db, workspaceId, agentId);
  return { subject: { workspaceId, agent, campaign: { id, name } }, targets };
}

async function namedAgent(db: Db, workspaceId: string, agentId: string): Promise<SampleSubject['agent']> {
  const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  return { id: agent.id, name: agent.display_name, versionId: agent.active_version_id };
}
