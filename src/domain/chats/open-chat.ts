import { errors } from '../../errors.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import { findAgent } from '../../store/agents/agents.ts';
import { insertChat, lockOpenChat, type ChatRow } from '../../store/chats/chats.ts';
import type { Tx } from '../../store/database.ts';
import type { ChatChannel } from '../../store/schema.ts';
import { versionForCall } from '../agents/version-choice.ts';
import { endsAt, sessionOf } from '../agents/session-limits.ts';

export interface ChatOpening {
  /** The id of a new chat; absent: any. */
  readonly id?: string;
  readonly workspaceId: string;
  readonly agentId: string;
  /** Null: the version that a call would get. */
  readonly versionId: string | null;
  readonly channel: ChatChannel;
  readonly channelId: string | null;
  /** The person's key in the channel; null: the chat's own id, for a channel whose sessions are separate. */
  readonly customer: string | null;
  readonly customerNumber: string | null;
  readonly customerName: string;
  readonly args: Readonly<Record<string, string>>;
}

/**
 * The open chat of this person, locked; a new one if there is none. Throws 404 for an unknown agent or version.
 */
export async function openChat(tx: Tx, opening: ChatOpening, at: Date): Promise<ChatRow> {
  const { workspaceId, channel } = opening;
  const id = opening.id ?? newId();
  const customer = opening.customer ?? id;
  const known = await lockOpenChat(tx, { workspaceId, channel, customer });
  if (known !== null) return known;
  const agent = isUuid(opening.agentId) ? await findAgent(tx, workspaceId, opening.agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  const version = await versionForCall(tx, workspaceId, agent, id, opening.versionId);
  const session = sessionOf(version.config);
  await insertChat(
    tx,
    {
      ...opening,
      id,
      customer,
      versionId: version.id,
      endsAt: endsAt(session, at, at.getTime()),
    },
    at,
  );
  // Another transaction may have opened it first; its row is visible once it commits.
  const chat = await lockOpenChat(tx, { workspaceId, channel, customer });
  if (chat === null) throw new Error('a chat that was just opened is missing');
  return chat;
}
