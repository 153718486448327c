import { checkTurn, type TurnCheckDeps } from '../domain/admission/check-turn.ts';
import { commitChange, type ChangeEntry } from '../domain/audit/change-entry.ts';
import type { ChatDesk, ChatTurn, TestInput, TestRun } from '../domain/chats/chat-desk.ts';
import { openChat } from '../domain/chats/open-chat.ts';
import { receiveMessage } from '../domain/chats/receive.ts';
import { errors } from '../errors.ts';
import { isUuid } from '../shared/ids.ts';
import { findChat, lockChat, type ChatRow } from '../store/chats/chats.ts';
import { leaseChat } from '../store/chats/turns.ts';
import { readMove } from '../shared/flow-moves.ts';
import { LEASE_MS, type ChatTurns, type TakenTurn } from './chat-turns.ts';
import { toolUses } from './turn.ts';

/** Test runs of agents: chats of the channel `test`, whose turns are taken within the request. */
export class TestRuns {
  readonly #deps: TurnCheckDeps & { readonly turns: ChatTurns };

  constructor(deps: TurnCheckDeps & { readonly turns: ChatTurns }) {
    this.#deps = deps;
  }

  readonly run: ChatDesk['testAgent'] = async (workspaceId, change, input) => {
    const { db } = this.#deps;
    await checkTurn(this.#deps, workspaceId, 'test');
    const chat = await this.#find(workspaceId, change, input);
    const turns: ChatTurn[] = [];
    if (input.sessionId === null) turns.push(await this.#turn(chat, null, input));
    for (const message of input.messages) {
      if (turns.at(-1)?.end != null) break;
      if (turns.length > 0) await checkTurn(this.#deps, workspaceId, 'test');
      await this.#hear(chat, change, message);
      turns.push(await this.#turn(chat, message, input));
    }
    const failed = turns.findLast(({ end }) => end === 'FAILED');
    const after = (await findChat(db, workspaceId, chat.id)) ?? chat;
    const talk = after.talk as { variables?: Record<string, string>; memory?: unknown };
    return {
      sessionId: chat.id,
      agentId: chat.agentId,
      versionId: chat.versionId,
      turns,
      state: failed !== undefined ? 'error' : after.state === 'closed' ? 'closed' : 'open',
      error: failed === undefined ? null : errorOf(failed),
      variables: { ...chat.args, ...talk.variables },
      memory: talk.memory ?? null,
    } satisfies TestRun;
  };

  async #find(workspaceId: string, change: ChangeEntry | null, input: TestInput): Promise<ChatRow> {
    const { db, clock } = this.#deps;
    const { sessionId, agentId, versionId, args } = input;
    if (sessionId !== null) {
      const chat = isUuid(sessionId) ? await findChat(db, workspaceId, sessionId) : null;
      if (chat === null || chat.channel !== 'test' || chat.agentId !== agentId) throw errors.chatNotFound();
      if (chat.state === 'closed') throw errors.chatClosed();
      return chat;
    }
    const opening = {
      workspaceId,
      agentId,
      versionId,
      channel: 'test' as const,
      channelId: null,
      customer: null,
      customerNumber: null,
      customerName: args['callee_name'] ?? '',
      args,
    };
    return commitChange(db, change, (tx) => openChat(tx, opening, new Date(clock.now())));
  }

  async #hear({ workspaceId, id }: ChatRow, change: ChangeEntry | null, text: string): Promise<void> {
    const { db, clock } = this.#deps;
    const at = new Date(clock.now());
    await commitChange(db, change, async (tx) => {
      const chat = await lockChat(tx, workspaceId, id);
      if (chat === null) throw errors.chatNotFound();
      if (chat.state === 'closed') throw errors.chatClosed();
      const message = { kind: 'text', text, content: null, externalId: null, sentAt: at, customerName: '' };
      await receiveMessage(tx, chat, message, at);
    });
  }

  async #turn({ workspaceId, id }: ChatRow, message: string | null, input: TestInput): Promise<ChatTurn> {
    const { db, clock, turns } = this.#deps;
    const now = clock.now();
    const startedAt = clock.monotonic();
    const times = { now: new Date(now), leaseUntil: new Date(now + LEASE_MS) };
    const leased = await leaseChat(db, workspaceId, id, times);
    if (leased === null) throw errors.chatBusy();
    const taken = await turns.answer(leased, input.runsTools ? 'run' : 'dry_run', input.onModelFailure);
    if (taken === null) throw errors.chatFailed();
    return toTurn(message, taken, Math.round(clock.monotonic() - startedAt));
  }
}

function errorOf({ message, spokenBy }: ChatTurn): NonNullable<TestRun['error']> {
  const fault = spokenBy.faults.at(-1) ?? null;
  const where = message === null ? 'the first message' : 'the message';
  return {
    message: `The language model gave no answer to ${where}${fault === null ? '' : `: ${fault.message}`}.`,
    fault,
  };
}

const toTurn = (message: string | null, turn: TakenTurn, ms: number): ChatTurn => ({
  message,
  said: turn.said,
  tools: toolUses(turn.toolLog),
  usage: turn.usage,
  steps: turn.steps.map(readMove).filter((move) => move !== null),
  optedOut: turn.optedOut,
  spokenBy: turn.spokenBy,
  end: turn.end,
  ms,
});
