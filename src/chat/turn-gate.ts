import type { GateDeps, Judgement } from '../domain/admission/gate.ts';
import { hold, NOTHING, settleHold, type HoldAnswer } from '../domain/admission/holds.ts';
import { refusedError } from '../domain/admission/refused.ts';
import { toMicroCredits, type UnitPrices } from '../domain/credits/price.ts';
import type { ApiError } from '../errors.ts';
import type { Log } from '../shared/log.ts';
import type { LeasedChat } from '../store/chats/turns.ts';
import type { Tx } from '../store/database.ts';
import { MAX_ROUNDS } from './turn.ts';

export type AdmittedTurn = Extract<HoldAnswer, { readonly admitted: true }>;

/** A turn that balance or caps of its workspace refuse. */
export class TurnRefused extends Error {
  override readonly name = 'TurnRefused';
  readonly reason: Extract<Judgement, { readonly admitted: false }>['reason'];

  constructor(reason: TurnRefused['reason']) {
    super(`the turn was refused: ${reason}`);
    this.reason = reason;
  }

  /** The API's answer. */
  get answer(): ApiError {
    return refusedError(this.reason);
  }
}

/** Longer than a turn, its voice messages and its commit. */
const LIFE_MS = 120_000;

/** The admission gate of turns that a model takes: of chats, agent tests and test cases. */
export class TurnGate {
  readonly #deps: GateDeps & { readonly log: Log; readonly prices: Pick<UnitPrices, 'modelTurn'> };

  constructor(deps: GateDeps & { readonly log: Log; readonly prices: Pick<UnitPrices, 'modelTurn'> }) {
    this.#deps = deps;
  }

  /** Holds the worst price of a chat's turn. Throws `TurnRefused`. */
  admit({ workspaceId, id, channel, agentId, turn }: Turn): Promise<AdmittedTurn> {
    return channel === 'test'
      ? this.admitTest(workspaceId, agentId)
      : this.#hold({ workspaceId, kind: 'chat', subjectId: id, step: turn, byStranger: true });
  }

  /** Holds the worst price of a turn in a test of an agent. Throws `TurnRefused`. */
  admitTest(workspaceId: string, agentId: string): Promise<AdmittedTurn> {
    return this.#hold({ workspaceId, kind: 'test', subjectId: agentId, byStranger: false });
  }

  /** Charges the replies that a model gave. */
  settle(tx: Tx, { held }: AdmittedTurn, rounds: number): Promise<void> {
    return settleHold(tx, this.#deps, held, { amount: rounds * this.#each, turns: rounds });
  }

  /** Releases the hold if `work` rejects. */
  async orRelease<T>({ held }: AdmittedTurn, work: () => Promise<T>): Promise<T> {
    const { db, log } = this.#deps;
    try {
      return await work();
    } catch (error) {
      if (held !== null) {
        const released = db.transaction().execute((tx) => settleHold(tx, this.#deps, held, NOTHING));
        await released.catch((failure: unknown) => {
          log.warn({ err: failure }, 'the credits of a failed turn stay held until their hold expires');
        });
      }
      throw error;
    }
  }

  get #each(): number {
    return toMicroCredits(this.#deps.prices.modelTurn);
  }

  async #hold(request: Omit<Parameters<typeof hold>[1], 'price' | 'lifeMs'>): Promise<AdmittedTurn> {
    const price = { each: this.#each, most: MAX_ROUNDS };
    const answer = await hold(this.#deps, { ...request, price, lifeMs: LIFE_MS });
    if (!answer.admitted) throw new TurnRefused(answer.reason);
    return answer;
  }
}

type Turn = Pick<LeasedChat, 'workspaceId' | 'id' | 'channel' | 'agentId' | 'turn'>;
