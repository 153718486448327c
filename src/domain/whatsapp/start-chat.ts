import { calleeVariables } from '../../shared/callee-variables.ts';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import { lockOpenChat, saveTalk } from '../../store/chats/chats.ts';
import { insertMessages } from '../../store/chats/messages.ts';
import { numberOfWorkspace } from '../../store/chats/whatsapp-numbers.ts';
import type { Db, Tx } from '../../store/database.ts';
import { isDoNotCall } from '../../store/numbers/do-not-call.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { checkAgentVariables } from '../agents/check-variables.ts';
import type { Warning } from '../warnings.ts';
import { openChat } from '../chats/open-chat.ts';
import { checkNumbers } from '../numbers/dialable-number.ts';
import { checkStorage } from '../workspaces/storage-quotas.ts';
import { customerKey } from './receive-webhook.ts';

export interface StartInput {
  readonly numberId: string;
  readonly mobileNumber: string;
  readonly args: Readonly<Record<string, string>>;
  readonly template: {
    readonly name: string;
    readonly language: string;
    readonly parameters: readonly string[];
    /** What the template says, for the agent; empty: unknown. */
    readonly text: string;
  };
}

/** A begun chat, and what its values lack. */
export interface StartedChat {
  readonly chatId: string;
  readonly warnings: readonly Warning[];
}

/**
 * Begins a chat with a template, which alone may open one from our side. Throws 404 for an unknown number, 400 for a
 * person who opted out, 409 while a chat with the person is open, 429 at the storage quota of chats.
 */
export async function startWhatsappChat(
  deps: { readonly db: Db; readonly clock: Clock },
  who: { readonly workspaceId: string; readonly strictVariables: boolean },
  change: ChangeEntry | null,
  input: StartInput,
  onStored: (tx: Tx, started: StartedChat) => Promise<void>,
): Promise<StartedChat> {
  checkNumbers('mobile_number', [input.mobileNumber]);
  const { template, mobileNumber } = input;
  const { workspaceId } = who;
  return commitChange(deps.db, change, async (tx) => {
    const number = isUuid(input.numberId)
      ? await numberOfWorkspace(tx, workspaceId, { id: input.numberId })
      : null;
    if (number === null) throw errors.whatsappNumberNotFound();
    if (await isDoNotCall(tx, workspaceId, mobileNumber)) throw errors.customerOptedOut();
    const agent = { agentId: number.agentId, versionId: null };
    const given = calleeVariables({ number: mobileNumber });
    const warnings = await checkAgentVariables(tx, who, agent, input.args, given);
    const customer = customerKey(number.id, mobileNumber.slice(1));
    if ((await lockOpenChat(tx, { workspaceId, channel: 'whatsapp', customer })) !== null)
      throw errors.chatOpen();
    await checkStorage({ db: tx }, workspaceId, 'chats');
    const at = new Date(deps.clock.now());
    const chat = await openChat(
      tx,
      {
        workspaceId,
        agentId: number.agentId,
        versionId: null,
        channel: 'whatsapp',
        channelId: number.id,
        customer,
        customerNumber: mobileNumber,
        customerName: input.args['callee_name'] ?? '',
        args: input.args,
      },
      at,
    );
    const text = template.text === '' ? `[template ${template.name}]` : template.text;
    const { name, language, parameters } = template;
    await insertMessages(
      tx,
      chat,
      [
        {
          id: newId(),
          role: 'agent',
          kind: 'template',
          text,
          content: { template: { name, language, parameters } },
          sentAt: at,
          state: 'queued',
          turn: 0,
        },
      ],
      at,
    );
    // The agent goes on from the template instead of its first message.
    await saveTalk(tx, chat, { hasBegun: false, history: [{ role: 'agent', text, interrupted: false }] });
    const started = { chatId: chat.id, warnings };
    await onStored(tx, started);
    return started;
  });
}
