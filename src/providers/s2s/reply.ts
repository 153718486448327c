import { wordEnds } from '@callwright/turns';
import type { LlmEvent } from '../ports/model.ts';
import type { VendorFault } from '../wire/fault.ts';
import { Piece } from './piece.ts';

/** What receives the news of one reply. */
export interface S2sStream {
  audio(pcm: Int16Array): void;
  text(text: string): void;
  tool(id: string, name: string, args: Record<string, unknown>): void;
  done(): void;
  fail(fault: VendorFault): void;
}

const WIDE = /[\p{Script=Han}\p{Script=Myanmar}\p{Script=Thai}]$/u;
const CLOSED = /[\s.,!?;:…)।。，！？؟،]$/u;
const SAYABLE = /[\p{L}\p{N}]/u;
/** Stands for words whose audio came before them. */
const BLIP_MS = 20;

/**
 * A reply of the vendor: words and audio arrive side by side, and become pieces of words with their audio. The brain's
 * events are kept until somebody asks for the reply.
 */
export class S2sReply implements S2sStream {
  readonly name: string;
  readonly pieces: Piece[] = [];
  /** The agent does not speak it, or no more of it. */
  isDropped = false;
  isOver = false;
  readonly beganAt: number;
  readonly #blip: number;
  #words = '';
  #early: Int16Array[] = [];
  #untold: LlmEvent[] | null = [];
  #onEvent: (event: LlmEvent) => void = () => undefined;
  hasCalled = false;
  /** Tool calls that have no result yet. */
  readonly calls: { readonly id: string; readonly name: string; readonly args: string }[] = [];

  constructor(name: string, sampleRate: number, beganAt: number) {
    this.name = name;
    this.beganAt = beganAt;
    this.#blip = (sampleRate * BLIP_MS) / 1000;
  }

  /** Something of it has arrived. */
  get hasBegun(): boolean {
    return this.#early.length > 0 || this.#words !== '' || this.pieces.length > 0 || this.calls.length > 0;
  }

  /** Gives what has arrived, then what follows. */
  listen(onEvent: (event: LlmEvent) => void): void {
    const untold = this.#untold ?? [];
    this.#untold = null;
    this.#onEvent = onEvent;
    for (const event of untold) onEvent(event);
  }

  text(text: string): void {
    this.#words += text;
  }

  audio(pcm: Int16Array): void {
    if (pcm.length === 0) return;
    this.#cut(wholeWords(this.#words));
    const piece = this.pieces.at(-1);
    if (piece === undefined) this.#early.push(pcm);
    else piece.push(pcm);
  }

  tool(id: string, name: string, args: Record<string, unknown>): void {
    this.hasCalled = true;
    this.calls.push({ id, name, args: JSON.stringify(args) });
    this.#tell({ type: 'tool', id, name, args });
  }

  done(): void {
    if (this.isOver) return;
    this.#cut(this.#words.length);
    const last = this.pieces.at(-1);
    if (last?.samples === 0) last.push(new Int16Array(this.#blip));
    last?.end();
    this.isOver = true;
    this.#tell({ type: 'done', memory: null, expected: null });
  }

  fail(fault: VendorFault): void {
    if (this.isOver) return;
    this.isOver = true;
    this.pieces.at(-1)?.fail(fault);
    this.#tell({ type: 'failed', message: fault.message, retryable: true, fault });
  }

  /** How much of the audio sounds until the end of the agent's line, ms; null: the line is not of this reply. */
  heardMs(line: string, sampleRate: number): { readonly ms: number; readonly isAll: boolean } | null {
    let [at, samples] = [0, 0];
    for (const piece of this.pieces) {
      const found = line.indexOf(piece.text, at);
      if (found >= 0) {
        at = found + piece.text.length;
        samples += piece.samples;
        continue;
      }
      const ends = [...wordEnds(piece.text)];
      const end = ends.findLast((offset) => line.endsWith(piece.text.slice(0, offset)));
      if (end !== undefined) samples += (piece.samples * end) / piece.text.length;
      if (samples === 0) return null;
      return { ms: Math.round((samples * 1000) / sampleRate), isAll: false };
    }
    return samples === 0 ? null : { ms: Math.round((samples * 1000) / sampleRate), isAll: true };
  }

  /** Begins a piece with the first `length` characters of the words at hand, if they can be spoken. */
  #cut(length: number): void {
    const text = this.#words.slice(0, length).replaceAll(/\s+/gu, ' ').trim();
    if (!SAYABLE.test(text)) return;
    this.#words = this.#words.slice(length);
    const before = this.pieces.at(-1);
    if (before?.samples === 0) before.push(new Int16Array(this.#blip));
    before?.end();
    const piece = new Piece(text);
    this.pieces.push(piece);
    for (const pcm of this.#early.splice(0)) piece.push(pcm);
    this.#tell({ type: 'delta', text, isPiece: true });
  }

  #tell(event: LlmEvent): void {
    if (this.#untold === null) this.#onEvent(event);
    else this.#untold.push(event);
  }
}

/** Length of the words that no further text changes. */
function wholeWords(text: string): number {
  if (CLOSED.test(text) || WIDE.test(text)) return text.length;
  return Math.max(0, text.search(/\s\S*$/u));
}
