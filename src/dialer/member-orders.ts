import { joiningText } from '../domain/workspaces/joining-text.ts';
import type { CallOrder, InviteOrder, TransferOrder } from '../shared/call-order.ts';
import type { Log } from '../shared/log.ts';
import type { AttemptRef } from '../store/calls/attempts.ts';
import type { Db } from '../store/database.ts';
import type { LiveEvent } from '../session/protocol.ts';
import type { CallMedia } from '../workers/call-media.ts';
import type { CallHold } from './call-hold.ts';
import type { ToolUse } from './tool-use.ts';

interface MemberOrdersDeps {
  readonly ref: AttemptRef;
  readonly db: Db;
  readonly log: Log;
  readonly tools: ToolUse;
  readonly hold: CallHold;
  /** Null: the call has none yet. */
  media(): CallMedia | null;
  isOver(): boolean;
  now(): number;
  /** Of the agent; empty before the answer. */
  language(): string;
  onLive(event: LiveEvent): void;
}

/** What people of the workspace do to a live call: notes, take-overs, transfers, guests, and who listens. */
export class MemberOrders {
  readonly #deps: MemberOrdersDeps;
  /** The agent or the caller has said a line. */
  #hasSpoken = false;
  /** Who listens since before that: an announcement would cut the greeting. */
  readonly #unannounced = new Set<string>();
  #running: Promise<void> = Promise.resolve();

  constructor(deps: MemberOrdersDeps) {
    this.#deps = deps;
  }

  /** Carries out an order for the answered call, after those before it. */
  add(order: CallOrder): void {
    this.#inOrder(() => this.#carryOut(order));
  }

  /** A member listens to the call. */
  listens(name: string): void {
    if (this.#hasSpoken) this.#inOrder(() => this.#announce(name));
    else this.#unannounced.add(name);
  }

  /** A line of the conversation is over. */
  spoken(): void {
    this.#hasSpoken = true;
    for (const name of this.#unannounced) this.#inOrder(() => this.#announce(name));
    this.#unannounced.clear();
  }

  async #carryOut(order: CallOrder): Promise<void> {
    const media = this.#deps.media();
    if (media === null || this.#deps.isOver()) return;
    if (order.operation === 'hold' || order.operation === 'resume')
      return this.#deps.hold.byMember(order.operation, order.by);
    if (order.operation === 'transfer') void this.#transferBy(order);
    else if (order.operation === 'invite') void this.#invite(order, await this.#joiningText());
    else if (order.operation === 'take_over') {
      const announcement = await this.#joiningText();
      media.control({ ...order, ...(announcement === null ? {} : { announcement }) });
    } else if (order.operation !== 'remove') media.control(order);
    else if (!this.#deps.tools.removeGuest())
      this.#notice('CONTROL_IGNORED', 'nobody has been invited to the call');
  }

  /** A member listens: the caller hears so, if the workspace announces people. */
  async #announce(by: string): Promise<void> {
    const text = await this.#joiningText();
    if (text !== null && !this.#deps.isOver())
      this.#deps.media()?.control({ operation: 'announce', text, by });
  }

  /** What the caller hears before a person joins; null: nothing. */
  #joiningText(): Promise<string | null> {
    return joiningText(this.#deps.db, this.#deps.ref.workspaceId, this.#deps.language());
  }

  /** Runs what people of the workspace want, one after the other. */
  #inOrder(run: () => Promise<void>): void {
    this.#running = this.#running.then(run).catch((error: unknown) => {
      this.#deps.log.error(
        { err: error, callId: this.#deps.ref.callId },
        'an order for a live call was not carried out',
      );
      this.#notice('CONTROL_IGNORED', 'the settings of the workspace could not be read');
    });
  }

  #notice(code: string, message: string): void {
    this.#deps.onLive({ type: 'notice', code, message });
  }

  /** Calls the third party whom a member invites; the guest joins the caller and the agent. */
  async #invite(order: InviteOrder, announcement: string | null): Promise<void> {
    const { by, to, name } = order;
    this.#notice('GUEST_INVITED', `${by} invites ${name} (${to}) to the call`);
    const onLeft = (): void => this.#notice('GUEST_LEFT', `${name} has left the call`);
    const { ok, result } = await this.#deps.tools.inviteBy(
      order,
      announcement,
      this.#deps.media(),
      this.#deps.now(),
      onLeft,
    );
    if (this.#deps.isOver()) return;
    if (ok) return this.#notice('GUEST_JOINED', `${name} has joined the call`);
    const { reason } = result as { reason?: string };
    this.#notice('GUEST_FAILED', `${name} did not join the call: ${reason ?? 'the other side refused'}`);
  }

  /** Transfers the caller for a member. The agent knows of it, and goes on if the transfer fails. */
  async #transferBy(order: TransferOrder): Promise<void> {
    const { by, to } = order;
    this.#notice('TRANSFER_STARTED', `${by} transfers the caller to ${to}`);
    const note = `${by} is transferring the caller to somebody else right now. Ask nothing more.`;
    this.#deps.media()?.control({ operation: 'note', text: note, by });
    const { ok, ends, result } = await this.#deps.tools.transferBy(
      order,
      this.#deps.media(),
      this.#deps.now(),
    );
    if (ends !== undefined) this.#deps.media()?.end(ends, null);
    if (ok || this.#deps.isOver()) return;
    const { reason } = result as { reason?: string };
    this.#notice(
      'TRANSFER_FAILED',
      `the caller was not transferred to ${to}: ${reason ?? 'the other side refused'}`,
    );
    const failed = 'The transfer failed, so go on with the conversation yourself.';
    this.#deps.media()?.control({ operation: 'note', text: failed, by });
  }
}
