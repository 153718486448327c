/** Whether bytes that come piece by piece are whole UTF-16: an even number of them, and surrogates only in pairs. */
export class Utf16Check {
  readonly name: 'utf-16le' | 'utf-16be';
  /** Where in a unit its high byte is. */
  readonly #highAt: 0 | 1;
  #bytes = 0;
  #isWithinPair = false;
  #isBroken = false;

  constructor(name: 'utf-16le' | 'utf-16be') {
    this.name = name;
    this.#highAt = name === 'utf-16le' ? 1 : 0;
  }

  push(bytes: Buffer): void {
    // High bytes alone tell surrogates: D8 to DB begin a pair, DC to DF end one.
    for (let at = (this.#bytes + this.#highAt) % 2; at < bytes.length; at += 2) {
      const kind = (bytes[at] ?? 0) & 0xfc;
      if (this.#isWithinPair !== (kind === 0xdc)) this.#isBroken = true;
      this.#isWithinPair = kind === 0xd8;
    }
    this.#bytes += bytes.length;
  }

  isWhole(): boolean {
    return !this.#isBroken && !this.#isWithinPair && this.#bytes % 2 === 0;
  }
}
