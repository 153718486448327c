/** Share of the slots that the numbers expected may take. */
const FULL = 0.85;
const SMALLEST = 64;

/**
 * Which row a phone number was first seen in. Digits of E.164 are whole numbers below 2^53, so millions of them take
 * twelve bytes a slot and no objects. It has room for `most` numbers and does not grow: that would take the old table
 * and the new one at once.
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

  /** Notes the number; returns the row it was first seen in, or 0 when it is new. Throws when there is no room. */
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
    // Both halves count: numbers of one list often differ in their last digits only.
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
