/** Work at times of a virtual clock. Work of one time runs in the order in which it was queued. */
export class TimeQueue {
  readonly #heap: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];
  #order = 0;

  /** Infinity: nothing is queued. */
  get nextAt(): number {
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  add(at: number, run: () => void): void {
    const heap = this.#heap;
    heap.push({ at, order: this.#order++, run });
    for (let child = heap.length - 1; child > 0;) {
      const parent = (child - 1) >> 1;
      if (!this.#isBefore(child, parent)) break;
      this.#swap(child, parent);
      child = parent;
    }
  }

  /** Takes the earliest work; null: nothing is queued. */
  take(): (() => void) | null {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined) return null;
    if (heap.length > 0) heap[0] = last;
    for (let parent = 0; ;) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      let least = parent;
      if (left < heap.length && this.#isBefore(left, least)) least = left;
      if (right < heap.length && this.#isBefore(right, least)) least = right;
      if (least === parent) return first.run;
      this.#swap(parent, least);
      parent = least;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one]!, this.#heap[other]!];
    return a.at === b.at ? a.order < b.order : a.at < b.at;
  }

  #swap(one: number, other: number): void {
    const heap = this.#heap;
    [heap[one], heap[other]] = [heap[other]!, heap[one]!];
  }
}
