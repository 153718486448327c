/** Silence before speech that begins, so that it is heard soon, ms. */
export const FIRST_LEAD_MS = 20;
/** What the carrier has to play when a message is late, after the first pause between words, ms. */
export const LEAD_MS = 60;
/** A mark that does not come back changes nothing after this time, ms. */
const LONGEST_MS = 3_000;

interface Mark {
  readonly name: string;
  /** The end of what was sent before it, ms since the stream began. */
  readonly position: number;
}

/** What of the sent audio the carrier has still to play: by the time of sending, corrected by the marks that come back. */
export class PlayOut {
  /** Audio sent so far, ms; and when all of it has been played if the network takes no time. */
  #sentMs = 0;
  #playedAt = 0;
  #marks: Mark[] = [];
  #made = 0;
  /** Where the carrier was when the last mark came back. */
  #known: { readonly position: number; readonly at: number } | null = null;

  /** The carrier has nothing left to play: speech that begins now needs a lead. */
  isDry(at: number): boolean {
    return this.#playedAt <= at;
  }

  /** Sent audio that the carrier has still to play by the time of sending, ms. */
  aheadMs(at: number): number {
    return Math.max(0, this.#playedAt - at);
  }

  sent(ms: number, at: number): void {
    this.#sentMs += ms;
    this.#playedAt = Math.max(this.#playedAt, at) + ms;
  }

  /** The name of a mark behind what was sent so far. */
  mark(): string {
    this.#made += 1;
    const name = String(this.#made);
    this.#marks.push({ name, position: this.#sentMs });
    return name;
  }

  /** A mark came back. One that was cleared, or is unknown, has no effect. */
  marked(name: string, at: number): void {
    const index = this.#marks.findIndex((mark) => mark.name === name);
    const mark = this.#marks[index];
    if (mark === undefined) return;
    this.#marks = this.#marks.slice(index + 1);
    this.#known = { position: mark.position, at };
  }

  /** The carrier was told to drop what it has not played. */
  cleared(at: number): void {
    this.#marks = [];
    this.#playedAt = at;
    this.#known = null;
  }

  /** Sent audio that the caller has not heard yet, ms. */
  unplayedMs(at: number): number {
    const byTime = this.aheadMs(at);
    if (this.#known === null) return byTime;
    const byMark = this.#sentMs - this.#known.position - (at - this.#known.at);
    return Math.min(LONGEST_MS, Math.max(byTime, byMark));
  }
}
