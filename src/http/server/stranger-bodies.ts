import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errors } from '../../errors.ts';
import { addressBlock } from '../../shared/ingress/address-block.ts';

/** Bytes that bodies of strangers may hold at once, in all and of one block of addresses (/24, /64). */
const MOST_BYTES = 64 * 1_048_576;
const MOST_BYTES_OF_BLOCK = 16 * 1_048_576;
/** Bodies of this length are not counted: a flood of others leaves sign-ins alone, and connections are limited. */
const SMALL_BYTES = 16_384;

/** The bodies of requests without a key or a session, which are in memory before anything proves who sent them. */
export class StrangerBodies {
  readonly #onRefused: () => void;
  readonly #ofBlock = new Map<string, number>();
  #bytes = 0;

  constructor(onRefused: () => void) {
    this.#onRefused = onRefused;
  }

  /** Every route of the scope draws from the budget before its body is read. `most`: the longest body that it takes. */
  guard(scope: FastifyInstance, most: number): void {
    scope.addHook('onRequest', async (request, reply) => {
      const bytes = announcedBytes(request, most);
      if (bytes <= SMALL_BYTES) return;
      const block = addressBlock(request.ip);
      const before = this.#ofBlock.get(block) ?? 0;
      if (this.#bytes + bytes > MOST_BYTES || before + bytes > MOST_BYTES_OF_BLOCK) {
        this.#onRefused();
        // The rest of the body is not read.
        void reply.header('connection', 'close');
        throw errors.rateLimited(5, 'bodies');
      }
      this.#add(block, bytes);
      reply.raw.once('close', () => this.#add(block, -bytes));
    });
  }

  #add(block: string, bytes: number): void {
    this.#bytes += bytes;
    const left = (this.#ofBlock.get(block) ?? 0) + bytes;
    if (left <= 0) this.#ofBlock.delete(block);
    else this.#ofBlock.set(block, left);
  }
}

/** How long the body may become: one without a length may be as long as any. Longer ones are refused unread. */
export function announcedBytes({ headers }: FastifyRequest, most: number): number {
  if (headers['transfer-encoding'] !== undefined) return most;
  return Math.min(most, Number(headers['content-length'] ?? 0));
}
