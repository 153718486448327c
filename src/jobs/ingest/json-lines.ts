const NEW_LINE = 10;

/**
 * Reads one JSON value a line from bytes in pieces of any length, each as soon as its line is complete: held whole, the
 * output of a large document would be in memory three times.
 */
export class JsonLines {
  readonly #values: unknown[] = [];
  /** Pieces of the line that is not complete. */
  #open: Buffer[] = [];
  /** Of the first line that is no JSON; the lines after it are not read. */
  #fault: unknown = null;

  add(piece: Buffer): void {
    if (this.#fault !== null) return;
    try {
      this.#read(piece);
    } catch (error) {
      this.#fault = error;
    }
  }

  /** The values of all lines. Throws when a line is no JSON, or the last one has no end. */
  values(): readonly unknown[] {
    if (this.#fault !== null) throw this.#fault;
    if (this.#open.length > 0) throw new Error('the last line of the output is cut');
    return this.#values;
  }

  #read(piece: Buffer): void {
    let from = 0;
    for (let at = piece.indexOf(NEW_LINE); at !== -1; at = piece.indexOf(NEW_LINE, from)) {
      this.#open.push(piece.subarray(from, at));
      const line = Buffer.concat(this.#open).toString('utf8');
      this.#open = [];
      from = at + 1;
      this.#values.push(JSON.parse(line));
    }
    if (from < piece.length) this.#open.push(piece.subarray(from));
  }
}
