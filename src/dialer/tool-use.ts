import type { DtmfDigit } from '@callwright/audio';
import type { CallTransferTool } from '../store/json/tools.ts';
import type { LegTimes } from '../domain/calls/attempt/transfer-charges.ts';
import type { Handovers } from '../domain/agents/handovers.ts';
import type { CallTools } from '../domain/tools/call-tools.ts';
import type { ConversationResult, ToolLogEntry } from '../voice/conversation.ts';
import type { CallMedia } from '../workers/call-media.ts';
import type { BridgeEvent, NextAgent, ToolAnswer, ToolRequest } from '../session/protocol.ts';
import type { InviteOrder, TransferOrder } from '../shared/call-order.ts';
import { HAND_OVER } from '../shared/hand-over.ts';
import type { AttemptJournal } from './journal.ts';
import { afterTransfer, type ColdTransfer, type Transferred } from './transfer.ts';
import type { WarmOrder, WarmTransfer } from './warm-transfer.ts';

/** Name of a transfer by a member of the workspace in the log of tools. */
const TRANSFER_BY_MEMBER = 'transfer_by_member';
/** Name of a guest's leg in the log of tools. */
const INVITE_BY_MEMBER = 'invite_by_member';

/** How this leg transfers its caller. */
export interface Transfers {
  /** REFER: the far side calls the target itself. Never rejects. */
  cold(tool: CallTransferTool): Promise<ColdTransfer>;
  /** A second leg to the target, bridged with the caller's. */
  warm(order: Pick<WarmOrder, 'tool' | 'media' | 'onLeft' | 'guest' | 'hold'>): WarmTransfer;
}

/** An agent that is ready to go on with a call, and its tools. */
export interface ReadyAgent {
  readonly next: NextAgent;
  readonly tools: CallTools;
}
export type CallHandovers = Handovers<ReadyAgent, NextAgent>;

/** Runs the tools of one live call, transfers included, and adds what they did to the call's result. */
export class ToolUse {
  readonly #journal: Pick<AttemptJournal, 'callback'>;
  #tools: CallTools | null = null;
  /** Tools of agents that have handed the call over. */
  readonly #earlier: CallTools[] = [];
  #handovers: CallHandovers | null = null;
  #transfers: Transfers | null = null;
  #hold: ((isHeld: boolean) => void) | null = null;
  /** The warm transfer under way or connected. */
  #warm: WarmTransfer | null = null;
  /** The guest on their way or in the call. */
  #guest: WarmTransfer | null = null;
  /** The guest whom the agent called with its transfer tool; null: the agent called none. */
  #introduced: { readonly name: string; readonly leg: WarmTransfer } | null = null;
  /** The second leg of every warm transfer and guest of the call. */
  readonly #warms: WarmTransfer[] = [];
  /** The transfer that succeeded. */
  #transferred: Transferred | null = null;
  /** Transfers and guests of members of the workspace; `guest`: the leg, whose result is known at the end. */
  readonly #ordered: { readonly entry: ToolLogEntry; readonly guest: WarmTransfer | null }[] = [];

  constructor(journal: Pick<AttemptJournal, 'callback'>) {
    this.#journal = journal;
  }

  /** `handovers` null: the call stays with its agent. */
  setTools(tools: CallTools, handovers: CallHandovers | null = null): void {
    this.#tools = tools;
    this.#handovers = handovers;
  }

  setTransfers(transfers: Transfers): void {
    this.#transfers = transfers;
  }

  /** `hold`: puts the caller on hold for a warm transfer, and takes the caller off. */
  setHold(hold: (isHeld: boolean) => void): void {
    this.#hold = hold;
  }

  /** The caller talks to a transfer target, without the agent. */
  get isConnected(): boolean {
    return this.#warm?.isConnected === true;
  }

  /** The log of tools that ran before the call. */
  get log(): readonly ToolLogEntry[] {
    return (this.#earlier[0] ?? this.#tools)?.log ?? [];
  }

  /** When the agent promised to call back; null: it did not. */
  get callbackAt(): number | null {
    return this.#callback?.at ?? null;
  }

  /** The second legs of warm transfers and guests. */
  get transferLegs(): readonly LegTimes[] {
    return this.#warms.flatMap(({ times }) => times ?? []);
  }

  /** `media` is null once the call has ended or before it has any. */
  async use(
    { name, args, key }: Pick<ToolRequest, 'name' | 'args' | 'key'>,
    media: CallMedia | null,
  ): Promise<ToolAnswer> {
    const tools = this.#tools;
    if (tools === null) return { ok: false, result: { error: 'no such tool' } };
    if (name === HAND_OVER) return this.#handOver(tools, args);
    const transfer = tools.transfer(name);
    if (transfer === null) return this.#run(tools, { name, args, key });
    const transfers = this.#transfers;
    if (transfers === null) return { ok: false, result: { error: 'this call cannot be transferred' } };
    if (transfer.mode === 'join') return this.#introduce(transfers, name, transfer, media);
    const answer = await this.#transfer(transfers, transfer, media);
    if (answer.ok) this.#transferred = { name, answer };
    return answer;
  }

  /** Transfers the caller for a member of the workspace. `at`: epoch ms of the order. Never rejects. */
  async transferBy(
    { to, mode, text, by }: TransferOrder,
    media: CallMedia | null,
    at: number,
  ): Promise<ToolAnswer> {
    const briefing = text === undefined ? {} : { briefing: text };
    const tool = { type: 'CALL_TRANSFER_TOOL', transferTo: to, mode, ...briefing } as const;
    const transfers = this.#transfers;
    const answer =
      transfers === null
        ? { ok: false, result: { status: 'failed', reason: 'this call cannot be transferred' } }
        : await this.#transfer(transfers, tool, media);
    const { ok, result } = answer;
    const args = { transfer_to: to, by };
    const entry: ToolLogEntry = { name: TRANSFER_BY_MEMBER, args, result, at, ok, phase: 'on_call' };
    this.#ordered.push({ entry, guest: null });
    if (ok) this.#transferred = { name: TRANSFER_BY_MEMBER, answer };
    return answer;
  }

  /**
   * Calls a guest for a member of the workspace; resolves when they have joined, or cannot. `announcement`: what the caller hears before
   * them; null: nothing. `onLeft`: a guest who had joined left,
   * and the call goes on. Never rejects.
   */
  async inviteBy(
    { to, name, text, by }: InviteOrder,
    announcement: string | null,
    media: CallMedia | null,
    at: number,
    onLeft: () => void,
  ): Promise<ToolAnswer> {
    const briefing = text === undefined ? {} : { briefing: text };
    const tool = { type: 'CALL_TRANSFER_TOOL', transferTo: to, mode: 'warm', ...briefing } as const;
    const refusal = this.#transfers === null ? 'this call takes no second leg' : this.#occupation(media);
    let answer: ToolAnswer = { ok: false, result: { status: 'failed', reason: refusal } };
    let leg: WarmTransfer | null = null;
    if (refusal === null && this.#transfers !== null && media !== null) {
      const free = (): void => {
        if (this.#guest === leg) this.#guest = null;
      };
      leg = this.#transfers.warm({
        tool,
        media,
        guest: { name, announcement },
        onLeft: () => {
          free();
          onLeft();
        },
      });
      this.#guest = leg;
      this.#warms.push(leg);
      answer = await leg.run();
      if (!answer.ok) free();
    }
    const { ok, result } = answer;
    const args = { invite_to: to, invite_name: name, by };
    const entry: ToolLogEntry = { name: INVITE_BY_MEMBER, args, result, at, ok, phase: 'on_call' };
    this.#ordered.push({ entry, guest: leg });
    return answer;
  }

  /** The guest leaves, or is not called any more; false: there is none. */
  removeGuest(): boolean {
    const guest = this.#guest;
    guest?.remove();
    return guest !== null;
  }

  /** With `auto`, a leg whose far side refuses REFER, as many carriers do, is bridged. */
  async #transfer(
    transfers: Transfers,
    tool: CallTransferTool,
    media: CallMedia | null,
  ): Promise<ToolAnswer> {
    if (tool.mode === 'warm') return this.#transferWarm(transfers, tool, media);
    const { answer, mayBridge } = await transfers.cold(tool);
    return tool.mode === 'auto' && mayBridge ? this.#transferWarm(transfers, tool, media) : answer;
  }

  /** An agent that may take the call over next, without its tools; null: it is prepared already, or there is none. */
  ahead(agentId: string): Promise<NextAgent | null> {
    return this.#handovers?.ahead(agentId) ?? Promise.resolve(null);
  }

  onBridge(event: BridgeEvent): void {
    (this.#warm ?? this.#guest)?.onBridge(event);
  }

  /** Keys for the target or guest, which go by the signalling of their leg. */
  onBridgeKeys(digits: readonly DtmfDigit[]): void {
    (this.#warm ?? this.#guest)?.onKeys(digits);
  }

  /** The caller's leg ended: so does the second one. */
  end(by: 'caller' | 'system'): void {
    this.#warm?.end(by);
    this.#guest?.end(by);
  }

  /** The conversation's result with the outcome of a transfer and the promised callback. */
  complete(result: ConversationResult): ConversationResult {
    const ordered = this.#ordered.map(({ entry, guest }) => ({
      ...entry,
      result: guest?.summary(result.endedAt)?.result ?? entry.result,
    }));
    const whole = { ...result, toolLog: [...result.toolLog, ...ordered] };
    return {
      ...afterTransfer(whole, this.#transferred, this.#warm?.summary(result.endedAt) ?? null),
      callback: this.#callback ?? result.callback,
    };
  }

  /** Closes connections to MCP servers. */
  close(): void {
    for (const tools of [...this.#earlier, this.#tools]) void tools?.close();
  }

  /** The latest promise of a callback by any agent. */
  get #callback(): CallTools['callback'] {
    const all = [...this.#earlier, this.#tools];
    return all.findLast((tools) => tools?.callback != null)?.callback ?? null;
  }

  async #handOver(before: CallTools, args: Record<string, unknown>): Promise<ToolAnswer> {
    if (this.#handovers === null) return { ok: false, result: { error: 'this call cannot be handed over' } };
    const { ready, answer } = await this.#handovers.handOver(args);
    if (ready === null) return answer;
    this.#earlier.push(before);
    this.#tools = ready.tools;
    return { ...answer, next: ready.next };
  }

  /** A promised callback is journalled at once, so that it survives a crash of this process. */
  async #run(
    tools: CallTools,
    { name, args, key }: Pick<ToolRequest, 'name' | 'args' | 'key'>,
  ): Promise<ToolAnswer> {
    const before = tools.callback;
    const answer = await tools.run(name, args, key);
    const at = tools.callback?.at;
    if (at !== undefined && tools.callback !== before) this.#journal.callback(at);
    return answer;
  }

  async #transferWarm(
    transfers: Transfers,
    tool: CallTransferTool,
    media: CallMedia | null,
  ): Promise<ToolAnswer> {
    const refusal = this.#occupation(media);
    if (media === null || refusal !== null)
      return { ok: false, result: { status: 'failed', reason: refusal } };
    const hold = this.#hold;
    const warm = transfers.warm({
      tool,
      media,
      ...(hold === null ? {} : { hold }),
      onLeft: () => media.end('CALL_TRANSFERRED', null),
    });
    this.#warm = warm;
    this.#warms.push(warm);
    const answer = await warm.run();
    if (!answer.ok && this.#warm === warm) this.#warm = null;
    return answer;
  }

  /** The first use of the tool calls the person, who joins caller and agent; the next one leaves the two alone. */
  async #introduce(
    transfers: Transfers,
    name: string,
    tool: CallTransferTool,
    media: CallMedia | null,
  ): Promise<ToolAnswer> {
    const before = this.#introduced;
    if (before !== null && before.name === name && before.leg === this.#guest) {
      this.#guest = null;
      this.#warm = before.leg;
      const answer = before.leg.leaveAlone();
      this.#transferred = { name, answer };
      return answer;
    }
    const refusal = this.#occupation(media);
    if (media === null || refusal !== null)
      return { ok: false, result: { status: 'failed', reason: refusal } };
    const free = (): void => {
      if (this.#guest === leg) this.#guest = null;
    };
    const leg: WarmTransfer = transfers.warm({
      tool,
      media,
      guest: { name: tool.transferTo, announcement: null, isAwaited: true },
      onLeft: () => (this.#warm === leg ? media.end('CALL_TRANSFERRED', null) : free()),
    });
    this.#guest = leg;
    this.#introduced = { name, leg };
    this.#warms.push(leg);
    const answer = await leg.run();
    if (!answer.ok) free();
    return answer;
  }

  /** Why the call takes no second leg now; null: it does. */
  #occupation(media: CallMedia | null): string | null {
    if (this.#guest !== null) return 'another person has been invited to the call';
    return media === null || this.#warm !== null ? 'another transfer is under way' : null;
  }
}
