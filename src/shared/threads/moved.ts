import type { Transferable } from 'node:worker_threads';

declare const isMoved: unique symbol;
/** An argument or a result whose memory or port passes to the other thread: the sender can use it no more. */
export type Moved<T> = T & { readonly [isMoved]: true };

const waiting = new WeakSet<object>();
const NONE: readonly Transferable[] = [];

/** Marks a value for the next message that has it as an argument or as its result. */
export function moved<T extends Transferable | ArrayBufferView>(value: T): Moved<T> {
  waiting.add(value);
  return value as Moved<T>;
}

/** The transfer list of these values. */
export function transfersOf(values: readonly unknown[]): readonly Transferable[] {
  let list = NONE as Transferable[];
  for (const value of values) {
    if (typeof value !== 'object' || value === null || !waiting.delete(value)) continue;
    if (list === NONE) list = [];
    list.push(ArrayBuffer.isView(value) ? (value.buffer as ArrayBuffer) : (value as Transferable));
  }
  return list;
}
