import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import { findAgent, findVersion } from '../../store/agents.ts';
import type { Db, Tx } from '../../store/database.ts';
import { listDeliveries } from '../../store/delivery-log.ts';
import { insertEvents, type DeliveryTarget } from '../../store/events.ts';
import type { JsonObject } from '../../store/schema.ts';
import type { EventSubscription, VersionConfig } from '../agents/agent-version.ts';
import { conversationKeys } from './completed.ts';
import { toEntry, type DeliveryEntry } from './delivery-log.ts';
import { envelope, type CallEventType, type EnvelopeCall } from './envelope.ts';
import { checkReceiverHeaders, checkReceiverUrl, normalAddress } from './receiver-rules.ts';
import { sealHeaders } from './sealed-headers.ts';
import { targetsOf } from './subscriptions.ts';

interface TestDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly kickWebhooks?: () => void;
}

/** Where a test event goes: as an agent's active version subscribes, or to a receiver named here. */
export type TestReceiver =
  | { readonly agentId: string }
  | {
      readonly url: string;
      readonly method: 'POST' | 'PUT' | 'PATCH';
      readonly headers: Readonly<Record<string, string>>;
    };

/**
 * Sends a sample of an event by the way real ones go: signed, tried four times, in the log. Its body says `test: true`
 * and its call does not exist. Throws 404 for the agent, 400 when it has no receiver for the event, 422 for a receiver
 * nothing can be sent to. `onStored` runs in the transaction that writes it.
 */
export async function sendTestEvent(
  deps: TestDeps,
  workspaceId: string,
  eventType: CallEventType,
  receiver: TestReceiver,
  onStored: (tx: Tx, sent: DeliveryEntry) => Promise<void>,
): Promise<DeliveryEntry> {
  const { call, targets } = await addressee(deps, workspaceId, eventType, receiver);
  const eventId = newId();
  const at = new Date(deps.clock.now());
  const body = { ...envelope(eventType, eventId, call, at, [], sampleKeys(eventType, at)), test: true };
  const sent = await deps.db.transaction().execute(async (tx) => {
    const event = {
      workspaceId,
      callId: call.id,
      eventId,
      eventType,
      dedup: 'test',
      body,
      at,
      isTest: true,
    };
    await insertEvents(tx, [{ event, targets }]);
    const ofCall = { callId: call.id, eventType: null, state: null, since: null };
    const [delivery] = await listDeliveries(tx, workspaceId, ofCall, { limit: 1, offset: 0 });
    if (delivery === undefined) throw new Error('a test event was written without its delivery');
    const answer = toEntry(delivery);
    await onStored(tx, answer);
    return answer;
  });
  deps.kickWebhooks?.();
  return sent;
}

async function addressee(
  deps: TestDeps,
  workspaceId: string,
  eventType: CallEventType,
  receiver: TestReceiver,
): Promise<{ call: EnvelopeCall; targets: DeliveryTarget[] }> {
  if ('url' in receiver) {
    checkReceiverUrl('callback_url', receiver.url);
    checkReceiverHeaders('headers', receiver.headers);
    const { method } = receiver;
    const url = normalAddress(receiver.url);
    const agent = { id: newId(), name: 'Test agent', versionId: newId() };
    return {
      call: sampleCall(workspaceId, agent),
      targets: [{ url, method, headers: sealHeaders(deps.seal, receiver.headers) }],
    };
  }
  const agent = isUuid(receiver.agentId)
    ? await findAgent(deps.db, workspaceId, receiver.agentId)
    : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  const version = await findVersion(deps.db, workspaceId, agent.id, agent.active_version_id);
  const config = version?.config as unknown as VersionConfig | undefined;
  const subscriptions: EventSubscription[] = config?.event_subscriptions ?? [];
  const targets = targetsOf(eventType, subscriptions);
  if (targets.length === 0) throw errors.eventNotSubscribed(eventType);
  const named = { id: agent.id, name: agent.display_name, versionId: agent.active_version_id };
  return { call: sampleCall(workspaceId, named), targets };
}

const sampleCall = (
  workspaceId: string,
  agent: { readonly id: string; readonly name: string; readonly versionId: string },
): EnvelopeCall => ({
  workspaceId,
  id: newId(),
  laneId: null,
  agentId: agent.id,
  agentName: agent.name,
  versionId: agent.versionId,
  callType: 'outbound',
  fromNumber: '+14155550100',
  toNumber: '+14155550142',
  args: { callee_name: 'Priya', mobile_number: '+14155550142' },
  status: 'completed',
  subStatus: 'USER_LEFT',
  retriesUsed: 0,
  cost: 1_000_000,
  sipCallId: null,
});

function sampleKeys(eventType: CallEventType, at: Date): JsonObject {
  const conversation = conversationKeys({
    calledOn: new Date(at.getTime() - 42_000),
    durationMs: 42_000,
    transcript: [
      { role: 'agent', text: 'Hello, is this Priya?' },
      { role: 'caller', text: 'Yes, speaking.' },
    ],
    latencies: [{ totalMs: 640 }],
    firstUtteranceMs: 310,
    hangupBy: 'caller',
  });
  const recording = { recording_url: 'https://example.com/recordings/test.wav', recording_duration: 42 };
  const samples: Readonly<Record<CallEventType, JsonObject>> = {
    call_started: {},
    call_ringing: {},
    call_ongoing: {},
    call_completed: conversation,
    recording_completed: recording,
    platform_analysis_completed: { analysis_data: {} },
    client_analysis_completed: { analysis_data: {}, analyzed_by: 'offline-rules' },
    all_processing_completed: {
      ...conversation,
      ...recording,
      platform_analysis: null,
      client_analysis: null,
    },
  };
  return samples[eventType];
}
