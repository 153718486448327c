/** Highest load factor of the hash table. */
const FULL = 0.85;
const SMALLEST = 64;

/**
 * Finds duplicate phone numbers: a hash table from number to the row it was first seen in. E.164 digits fit into a
 * double (below 2^53), so a slot takes twelve bytes and no object. Its capacity is fixed at `most` numbers, because
 * growing would hold the old and the new table in memory at once.
 */
export class NumberSet {
  readonly #numbers: Float64Array;
  readonly #rows: Uint32Array;
  readonly #most: number;
  #size = 0;

  constructor(most: number) {
    this.#most = most;
    const slots = Math.max(SMALLEST, Math.ceil(most / FULL));
    this.#numbers = new Float64Array(slots);
    this.#rows = new Uint32Array(slots);
  }

  /** Adds the number; returns the row it was first seen in, or 0 when it is new. Throws when the table is full. */
  add(e164: string, row: number): number {
    const number = Number(e164.slice(1));
    const at = this.#slotOf(number);
    if (this.#numbers[at] === number) return this.#rows[at] ?? 0;
    if (this.#size >= this.#most) throw new RangeError(`more than ${this.#most} numbers`);
    this.#numbers[at] = number;
    this.#rows[at] = row;
    this.#size += 1;
    return 0;
  }

  #slotOf(number: number): number {
    const numbers = this.#numbers;
    // Hash both halves: numbers of one list often differ only in their last digits.
    const low = number % 4_294_967_296;
    const high = (number - low) / 4_294_967_296;
    let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash = (hash ^ (hash >>> 13)) >>> 0;
    let at = Math.floor((hash / 4_294_967_296) * numbers.length);
    while (numbers[at] !== 0 && numbers[at] !== number) at = at + 1 === numbers.length ? 0 : at + 1;
    return at;
  }
}
