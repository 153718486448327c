import {
  CONCEAL_MS,
  concealTo,
  createConcealer,
  hearReal,
  resetConcealer,
  type Concealer,
} from './conceal.ts';

/**
 * Regroups decoded packets of any packet time into 20 ms frames and fills losses. Pure: PCM and places come in,
 * frames leave through `out`. A pause (no loss) or a loss beyond the concealment shows as a step of the timestamp.
 */
export interface FrameOut {
  /** `pcm` is reused after the call; `timestamp` is the place of its first sample. */
  onFrame(pcm: Int16Array, timestamp: number, concealed: boolean, at: number): void;
}

export interface FrameAssembler {
  readonly frame: Int16Array;
  readonly concealer: Concealer;
  filled: number;
  /** True when a sample of the frame under way was invented. */
  concealed: boolean;
  /** Place of the next sample to append. */
  next: number;
  started: boolean;
  concealedSamples: number;
}

export const createFrameAssembler = (rate: number): FrameAssembler => ({
  frame: new Int16Array(rate / 50),
  concealer: createConcealer(rate),
  filled: 0,
  concealed: false,
  next: 0,
  started: false,
  concealedSamples: 0,
});

function emitIfFull(assembler: FrameAssembler, out: FrameOut, at: number): void {
  if (assembler.filled < assembler.frame.length) return;
  out.onFrame(assembler.frame, assembler.next - assembler.frame.length, assembler.concealed, at);
  assembler.filled = 0;
  assembler.concealed = false;
}

function invent(assembler: FrameAssembler, count: number, out: FrameOut, at: number): void {
  let left = count;
  while (left > 0) {
    const room = Math.min(left, assembler.frame.length - assembler.filled);
    concealTo(assembler.concealer, assembler.frame, assembler.filled, room);
    assembler.concealed = true;
    assembler.filled += room;
    assembler.next += room;
    left -= room;
    emitIfFull(assembler, out, at);
  }
  assembler.concealedSamples += count;
}

/** Ends the frame under way with silence, so that the next one can start at its own place. */
function pad(assembler: FrameAssembler, out: FrameOut, at: number): void {
  if (assembler.filled === 0) return;
  const missing = assembler.frame.length - assembler.filled;
  assembler.frame.fill(0, assembler.filled);
  assembler.filled += missing;
  assembler.next += missing;
  emitIfFull(assembler, out, at);
}

/**
 * Appends the PCM of one packet at `place` (samples). `pcm` may be changed: audio after a loss is faded in.
 * `lostBefore` tells a loss from a pause of the sender.
 */
export function appendPcm(
  assembler: FrameAssembler,
  pcm: Int16Array,
  place: number,
  lostBefore: number,
  out: FrameOut,
  at: number,
): void {
  if (!assembler.started) {
    assembler.started = true;
    assembler.next = place;
  }
  const gap = place - assembler.next;
  if (gap > 0) {
    if (lostBefore > 0) {
      const most = (assembler.concealer.rate / 1000) * CONCEAL_MS;
      invent(assembler, Math.min(gap, most), out, at);
    }
    if (place > assembler.next) {
      resetConcealer(assembler.concealer);
      pad(assembler, out, at);
      assembler.next = Math.max(assembler.next, place);
    }
  }
  hearReal(assembler.concealer, pcm);
  let read = 0;
  while (read < pcm.length) {
    const room = Math.min(pcm.length - read, assembler.frame.length - assembler.filled);
    for (let i = 0; i < room; i++) assembler.frame[assembler.filled + i] = pcm[read + i] as number;
    assembler.filled += room;
    assembler.next += room;
    read += room;
    emitIfFull(assembler, out, at);
  }
}
