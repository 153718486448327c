import {
  CONCEAL_MS,
  concealTo,
  createConcealer,
  acceptSamples,
  resetConcealer,
  type Concealer,
} from './conceal.ts';

/**
 * Regroups decoded packets of any packet time into 20 ms frames and conceals losses. Pure: PCM with positions in,
 * frames through `out`. A pause of the sender, or a loss longer than the concealment, is a step of the timestamp.
 */
export interface FrameOut {
  /** `pcm` is reused after the call; `timestamp` is the position of its first sample. */
  onFrame(pcm: Int16Array, timestamp: number, concealed: boolean, at: number): void;
}

export interface FrameAssembler {
  readonly frame: Int16Array;
  readonly concealer: Concealer;
  filled: number;
  /** True when the current frame contains synthesized samples. */
  concealed: boolean;
  /** Position of the next sample to append. */
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

function conceal(assembler: FrameAssembler, count: number, out: FrameOut, at: number): void {
  let left = count;
  while (left > 0) {
    const part = Math.min(left, assembler.frame.length - assembler.filled);
    concealTo(assembler.concealer, assembler.frame, assembler.filled, part);
    assembler.concealed = true;
    assembler.filled += part;
    assembler.next += part;
    left -= part;
    emitIfFull(assembler, out, at);
  }
  assembler.concealedSamples += count;
}

/** Fills the current frame with silence, so that the next one starts at the packet's position. */
function pad(assembler: FrameAssembler, out: FrameOut, at: number): void {
  if (assembler.filled === 0) return;
  const missing = assembler.frame.length - assembler.filled;
  assembler.frame.fill(0, assembler.filled);
  assembler.filled += missing;
  assembler.next += missing;
  emitIfFull(assembler, out, at);
}

/**
 * Appends the PCM of one packet at `place` (samples). Changes `pcm` after a loss, to fade it in. `lostBefore`
 * distinguishes a loss from a pause of the sender.
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
      conceal(assembler, Math.min(gap, most), out, at);
    }
    if (place > assembler.next) {
      resetConcealer(assembler.concealer);
      pad(assembler, out, at);
      assembler.next = Math.max(assembler.next, place);
    }
  }
  acceptSamples(assembler.concealer, pcm);
  let read = 0;
  while (read < pcm.length) {
    const part = Math.min(pcm.length - read, assembler.frame.length - assembler.filled);
    for (let i = 0; i < part; i++) assembler.frame[assembler.filled + i] = pcm[read + i] as number;
    assembler.filled += part;
    assembler.next += part;
    read += part;
    emitIfFull(assembler, out, at);
  }
}
