/** Share of the table that may be taken before it grows. */
const FULL = 0.6;
const SMALLEST = 4096;

/**
 * Which row a phone number was first seen in. Digits of E.164 are whole numbers below 2^53, so millions of them take
 * twelve bytes a slot and no objects.
 */
export class NumberSet {
  #numbers = new Float64Array(SMALLEST);
  #rows = new Uint32Array(SMALLEST);
  #size = 0;

  /** Notes the number; returns the row it was first seen in, or 0 when it is new. */
  add(e164: string, row: number): number {
    if (this.#size + 1 > this.#numbers.length * FULL) this.#grow();
    const number = Number(e164.slice(1));
    const at = this.#slotOf(number);
    if (this.#numbers[at] === number) return this.#rows[at] ?? 0;
    this.#numbers[at] = number;
    this.#rows[at] = row;
    this.#size += 1;
    return 0;
  }

  #slotOf(number: number): number {
    const numbers = this.#numbers;
    const mask = numbers.length - 1;
    // Both halves count: numbers of one list often differ in their last digits only.
    const low = number % 4_294_967_296;
    const high = (number - low) / 4_294_967_296;
    let at = (Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b) >>> 7) & mask;
    while (numbers[at] !== 0 && numbers[at] !== number) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [numbers, rows] = [this.#numbers, this.#rows];
    this.#numbers = new Float64Array(numbers.length * 2);
    this.#rows = new Uint32Array(numbers.length * 2);
    for (let i = 0; i < numbers.length; i += 1) {
      const number = numbers[i] ?? 0;
      if (number === 0) continue;
      const at = this.#slotOf(number);
      this.#numbers[at] = number;
      this.#rows[at] = rows[i] ?? 0;
    }
  }
}
