import { newId, randomToken } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import { whatsappAgentsNamed } from '../../store/agents/agents.ts';
import {
  insertWhatsappNumber,
  numberOfWorkspace,
  updateWhatsappNumber,
} from '../../store/chats/whatsapp-numbers.ts';
import type { Tx } from '../../store/database.ts';
import type { ChildEntry } from '../../wire/provision/schema.ts';

/**
 * Attaches the declared WhatsApp numbers to agents of the workspace, by the agents' names. A number whose agent does not
 * exist yet waits for a later start; the returned lines say so.
 */
export async function applyWhatsapp(
  { tx, seal, at }: { readonly tx: Tx; readonly seal: Seal; readonly at: Date },
  path: string,
  workspaceId: string,
  entry: ChildEntry,
  problems: string[],
): Promise<string[]> {
  const notes: string[] = [];
  for (const [index, declared] of (entry.whatsappNumbers ?? []).entries()) {
    const agents = await whatsappAgentsNamed(tx, workspaceId, declared.agent);
    const [agentId] = agents;
    if (agents.length > 1) {
      problems.push(`${path}.whatsapp_numbers[${index}].agent names several WhatsApp agents`);
      continue;
    }
    if (agentId === undefined) {
      const waits = `${declared.number} of ${entry.name} waits for a WhatsApp agent of the name ${declared.agent}`;
      notes.push(`  WhatsApp    ${waits}`);
      continue;
    }
    const { phoneNumberId, number } = declared;
    const known = await numberOfWorkspace(tx, workspaceId, { phoneNumberId });
    const sealed = (value: string, stored: string | undefined): string =>
      stored !== undefined && seal.open(stored) === value ? stored : seal.seal(value);
    const values = {
      workspaceId,
      id: known?.id ?? newId(),
      agentId,
      phoneNumberId,
      number,
      displayName: declared.displayName ?? known?.displayName ?? '',
      businessAccountId: declared.businessAccountId ?? known?.businessAccountId ?? null,
      accessToken: sealed(declared.accessToken, known?.accessToken),
      appSecret: sealed(declared.appSecret, known?.appSecret),
      verifyToken: known?.verifyToken ?? randomToken(32),
    };
    if (known === null) await insertWhatsappNumber(tx, values, at);
    else await updateWhatsappNumber(tx, values, at);
  }
  return notes;
}
