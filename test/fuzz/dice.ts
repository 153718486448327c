import { createHash } from 'node:crypto';
import { seededRandom } from '../../packages/sip/test/virtual-network.ts';

/** Seeded choices. */
export class Dice {
  readonly #random: () => number;

  /** Inputs do not depend on each other: each has dice of its own. */
  constructor(...seed: readonly (string | number)[]) {
    this.#random = seededRandom(createHash('sha256').update(seed.join('/')).digest().readUInt32LE(0));
  }

  /** An integer from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  from(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}
