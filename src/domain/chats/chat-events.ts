import type { EventSubscription } from '../../store/json/agent-version.ts';
import { newId } from '../../shared/ids.ts';
import type { ChatRow } from '../../store/chats/chats.ts';
import type { Tx } from '../../store/database.ts';
import type { JsonObject } from '../../store/schema.ts';
import { insertEvents } from '../../store/webhooks/events.ts';
import { chatEnvelope, type ChatEventType } from '../../wire/events/chat.ts';
import { targetsOf } from '../webhooks/subscriptions.ts';

/** What an event tells of its chat. */
export interface EventChat {
  readonly chat: ChatRow;
  /** The number that carries the chat; empty outside WhatsApp. */
  readonly ownNumber: string;
  readonly subscriptions: readonly EventSubscription[] | undefined;
}

/** Appends an event of a closed chat in the transaction of the change. False for a duplicate. */
export async function appendChatEvent(
  tx: Tx,
  of: EventChat,
  type: ChatEventType,
  more: JsonObject,
  at: Date,
): Promise<boolean> {
  const { chat } = of;
  const eventId = newId();
  const event = {
    workspaceId: chat.workspaceId,
    callId: chat.id,
    eventId,
    eventType: type,
    dedup: type,
    body: chatEnvelope(of, type, eventId, more, at),
    at,
  };
  return (await insertEvents(tx, [{ event, targets: targetsOf(type, of.subscriptions) }])).size > 0;
}

/** `hangup_by` of a chat. */
export const endedBy = ({ endReason }: Pick<ChatRow, 'endReason'>): 'agent' | 'caller' | null => {
  if (endReason === 'USER_LEFT') return 'caller';
  return endReason === 'AGENT_ENDED' || endReason === 'OPTED_OUT' ? 'agent' : null;
};
