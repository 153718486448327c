import { openSync, readFileSync, writeSync } from 'node:fs';

/** The gates of money in which a process may be killed. */
export const GATES = [
  'outbound call',
  'inbound call',
  'browser call',
  'warm transfer',
  'cold transfer',
  'chat turn',
  'test turn',
  'preview',
  'embeddings',
  'search',
  'analysis',
] as const;
export type Gate = (typeof GATES)[number];

const OUTSIDE = 0xff;

/**
 * Which gate each lane of a process is inside, in a file that outlives the process: a byte a lane. A killed process cannot send what it
 * did last.
 */
export class GateJournal {
  readonly #file: number;
  readonly #lanes: number[];

  constructor(path: string, lanes: number) {
    this.#file = openSync(path, 'w');
    this.#lanes = Array.from({ length: lanes }, () => OUTSIDE);
    writeSync(this.#file, Buffer.from(this.#lanes), 0, lanes, 0);
  }

  /** Runs `work` inside a gate; gates nest. */
  async inside<T>(lane: number, gate: Gate, work: () => Promise<T>): Promise<T> {
    const outer = this.#lanes[lane] ?? OUTSIDE;
    this.#write(lane, GATES.indexOf(gate));
    try {
      return await work();
    } finally {
      this.#write(lane, outer);
    }
  }

  #write(lane: number, value: number): void {
    this.#lanes[lane] = value;
    writeSync(this.#file, Buffer.from([value]), 0, 1, lane);
  }
}

/** The gates that a dead process was inside, each once. */
export const gatesIn = (path: string): Set<Gate> =>
  new Set(Array.from(readFileSync(path)).flatMap((index) => GATES[index] ?? []));
