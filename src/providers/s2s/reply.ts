import { wordEnds } from '@callwright/turns';
import type { LlmEvent } from '../ports/model.ts';
import type { VendorFault } from '../wire/fault.ts';
import { Piece } from './piece.ts';

/** Receives the events of one reply. */
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
/** Silence for words whose audio arrived before them. */
const BLIP_MS = 20;

/**
 * A reply of the vendor. Words and audio arrive in parallel and become pieces of words with their audio. Model events are
 * buffered until `listen`.
 */
export class S2sReply implements S2sStream {
  readonly name: string;
  readonly pieces: Piece[] = [];
  /** Cancelled: the agent does not speak the reply, or the rest of it. */
  isDropped = false;
  isOver = false;
  readonly beganAt: number;
  readonly #blip: number;
  #words = '';
  #early: Int16Array[] = [];
  #buffered: LlmEvent[] | null = [];
  #onEvent: (event: LlmEvent) => void = () => undefined;
  hasCalled = false;
  /** Tool calls that have no result yet. */
  readonly calls: { readonly id: string; readonly name: string; readonly args: string }[] = [];

  constructor(name: string, sampleRate: number, beganAt: number) {
    this.name = name;
    this.beganAt = beganAt;
    this.#blip = (sampleRate * BLIP_MS) / 1000;
  }

  /** Whether any part of the reply has arrived. */
  get hasBegun(): boolean {
    return this.#early.length > 0 || this.#words !== '' || this.pieces.length > 0 || this.calls.length > 0;
  }

  /** Replays buffered events, then streams new ones. */
  listen(onEvent: (event: LlmEvent) => void): void {
    const buffered = this.#buffered ?? [];
    this.#buffered = null;
    this.#onEvent = onEvent;
    for (const event of buffered) onEvent(event);
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
    this.#emit({ type: 'tool', id, name, args });
  }

  done(): void {
    if (this.isOver) return;
    this.#cut(this.#words.length);
    const last = this.pieces.at(-1);
    if (last?.samples === 0) last.push(new Int16Array(this.#blip));
    last?.end();
    this.isOver = true;
    this.#emit({ type: 'done', memory: null, expected: null });
  }

  fail(fault: VendorFault): void {
    if (this.isOver) return;
    this.isOver = true;
    this.pieces.at(-1)?.fail(fault);
    this.#emit({ type: 'failed', message: fault.message, retryable: true, fault });
  }

  /** Audio heard up to the end of this utterance, ms; null: the utterance is not from this reply. */
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

  /** Starts a piece with the first `length` characters of the pending words, if they can be spoken. */
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
    this.#emit({ type: 'delta', text, isPiece: true });
  }

  #emit(event: LlmEvent): void {
    if (this.#buffered === null) this.#onEvent(event);
    else this.#buffered.push(event);
  }
}

/** Length of the complete words at the beginning of `text`. */
function wholeWords(text: string): number {
  if (CLOSED.test(text) || WIDE.test(text)) return text.length;
  return Math.max(0, text.search(/\s\S*$/u));
}
