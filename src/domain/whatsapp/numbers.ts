import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId, randomToken } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import { findAgent } from '../../store/agents/agents.ts';
import {
  deleteWhatsappNumber,
  insertWhatsappNumber,
  listWhatsappNumbers,
  numberOfWorkspace,
  updateWhatsappNumber,
  type WhatsappNumberRow,
} from '../../store/chats/whatsapp-numbers.ts';
import type { Db } from '../../store/database.ts';
import { isChatAgent } from '../agents/agent-version.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

export type { WhatsappNumberRow };

/** Attaches a number to a WhatsApp agent. Throws 404 for an unknown agent, 400 for a voice agent, 409 for a known number. */
export async function addWhatsappNumber(
  deps: { readonly db: Db; readonly clock: Clock; readonly seal: Seal },
  workspaceId: string,
  change: ChangeEntry | null,
  input: {
    readonly agentId: string;
    readonly phoneNumberId: string;
    readonly number: string;
    readonly displayName: string;
    readonly businessAccountId: string | null;
    readonly accessToken: string;
    readonly appSecret: string;
  },
): Promise<WhatsappNumberRow> {
  const at = new Date(deps.clock.now());
  const number = {
    ...input,
    workspaceId,
    id: newId(),
    accessToken: deps.seal.seal(input.accessToken),
    appSecret: deps.seal.seal(input.appSecret),
    verifyToken: randomToken(32),
  };
  return commitChange(deps.db, change, async (tx) => {
    const agent = isUuid(input.agentId) ? await findAgent(tx, workspaceId, input.agentId) : undefined;
    if (agent === undefined) throw errors.agentNotFound();
    if (!isChatAgent(agent.agentType)) throw errors.notChatAgent();
    if (!(await insertWhatsappNumber(tx, number, at))) throw errors.whatsappNumberKnown();
    return { ...number, pausedUntil: new Date(0), lastError: null, createdAt: at };
  });
}

/** Changes a number's name, account or secrets; new secrets end a pause of sending. Throws 404. */
export async function changeWhatsappNumber(
  deps: { readonly db: Db; readonly clock: Clock; readonly seal: Seal },
  workspaceId: string,
  change: ChangeEntry | null,
  id: string,
  input: {
    readonly displayName: string | null;
    readonly businessAccountId: string | null;
    readonly accessToken: string | null;
    readonly appSecret: string | null;
  },
): Promise<WhatsappNumberRow> {
  return commitChange(deps.db, change, async (tx) => {
    const number = isUuid(id) ? await numberOfWorkspace(tx, workspaceId, { id }) : null;
    if (number === null) throw errors.whatsappNumberNotFound();
    const { displayName, businessAccountId, accessToken, appSecret } = input;
    const changed = {
      ...number,
      displayName: displayName ?? number.displayName,
      businessAccountId: businessAccountId ?? number.businessAccountId,
      accessToken: accessToken === null ? number.accessToken : deps.seal.seal(accessToken),
      appSecret: appSecret === null ? number.appSecret : deps.seal.seal(appSecret),
    };
    await updateWhatsappNumber(tx, changed, new Date(deps.clock.now()));
    return (await numberOfWorkspace(tx, workspaceId, { id })) ?? changed;
  });
}

export const readWhatsappNumbers = (
  deps: { readonly db: Db },
  workspaceId: string,
): Promise<WhatsappNumberRow[]> => listWhatsappNumbers(deps.db, workspaceId);

/** Throws 404 for a number of another workspace. */
export async function removeWhatsappNumber(
  deps: { readonly db: Db },
  workspaceId: string,
  change: ChangeEntry | null,
  id: string,
): Promise<void> {
  if (!isUuid(id)) throw errors.whatsappNumberNotFound();
  await commitChange(deps.db, change, async (tx) => {
    if (!(await deleteWhatsappNumber(tx, workspaceId, id))) throw errors.whatsappNumberNotFound();
  });
}
