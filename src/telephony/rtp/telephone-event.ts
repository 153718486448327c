import type { DtmfDigit } from '../../voice/ports.ts';

/** Keypad digits as RTP events (RFC 4733): pure receiver and sender. Times in RTP ticks of 8000 Hz. */
const DIGITS: readonly DtmfDigit[] = [
  '0',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
  '*',
  '#',
  'A',
  'B',
  'C',
  'D',
];
export const EVENT_BYTES = 4;

export interface EventReceiver {
  active: boolean;
  event: number;
  timestamp: number;
  duration: number;
  lastAt: number;
  /** Timestamp of the newest event already reported. */
  reported: number | null;
}

export const createEventReceiver = (): EventReceiver => ({
  active: false,
  event: 0,
  timestamp: 0,
  duration: 0,
  lastAt: 0,
  reported: null,
});

/** An event whose end packets were all lost counts as ended after this silence. */
const LOST_END_MS = 120;

function finish(receiver: EventReceiver): DtmfDigit | null {
  receiver.active = false;
  receiver.reported = receiver.timestamp;
  return DIGITS[receiver.event] ?? null;
}

/** Repeats of an event already told. Further back is a sender that began a new time base, not a repeat. */
const REPEAT_TICKS = 80_000;

function isOld(receiver: EventReceiver, timestamp: number): boolean {
  if (receiver.reported === null) return false;
  const step = (timestamp - receiver.reported) | 0;
  return step <= 0 && step > -REPEAT_TICKS;
}

/**
 * Takes one telephone-event payload; returns the digit when it is certain: at its first end bit, or when the next
 * event begins although no end came. A digit is told once per timestamp, so repeats and a lost marker do no harm.
 */
export function receiveEvent(
  receiver: EventReceiver,
  payload: Uint8Array,
  timestamp: number,
  at: number,
): DtmfDigit | null {
  if (payload.length < EVENT_BYTES) return null;
  const event = payload[0] as number;
  const end = ((payload[1] as number) & 0x80) !== 0;
  const duration = ((payload[2] as number) << 8) | (payload[3] as number);
  if (event >= DIGITS.length || isOld(receiver, timestamp)) return null;
  let finished: DtmfDigit | null = null;
  const same = receiver.active && receiver.timestamp === timestamp;
  if (receiver.active && !same) {
    const step = (timestamp - receiver.timestamp) | 0;
    // A late packet of an event before the one under way.
    if (step < 0 && step > -REPEAT_TICKS) return null;
    // RFC 4733 section 2.5.1.3: a long event goes on in segments that follow each other without a pause.
    const continues = event === receiver.event && step === receiver.duration && receiver.duration >= 0x8000;
    if (!continues) finished = finish(receiver);
  }
  receiver.active = true;
  receiver.event = event;
  receiver.timestamp = timestamp;
  receiver.duration = same ? Math.max(receiver.duration, duration) : duration;
  receiver.lastAt = at;
  if (!end) return finished;
  // Two events that end in one packet cannot be: the one before is told now, this one at its next end packet.
  return finished ?? finish(receiver);
}

/** Called every 20 ms: ends an event whose packets stopped without an end bit. */
export function tickEvents(receiver: EventReceiver, at: number): DtmfDigit | null {
  return receiver.active && at - receiver.lastAt >= LOST_END_MS ? finish(receiver) : null;
}

export interface EventSender {
  readonly queue: DtmfDigit[];
  /** 20 ms steps done of the digit or pause under way; -1 when idle. */
  step: number;
  event: number;
  timestamp: number;
}

export const createEventSender = (): EventSender => ({ queue: [], step: -1, event: 0, timestamp: 0 });

const TICKS_PER_STEP = 160;
/** 100 ms of tone: steps 0 to 4, then two more copies of the end packet, then a pause. */
const TONE_STEPS = 5;
const END_COPIES = 3;
const PAUSE_STEPS = 3;
const EVENT_STEPS = TONE_STEPS + END_COPIES - 1;
const VOLUME_DBM0 = 10;
const MAX_QUEUED = 64;

export function queueDigits(sender: EventSender, digits: readonly DtmfDigit[]): void {
  for (const digit of digits) if (sender.queue.length < MAX_QUEUED) sender.queue.push(digit);
}

/** What this 20 ms is: audio, an event packet (the first one carries the marker), or the pause after a digit. */
export type SendStep = 'audio' | 'event_start' | 'event' | 'pause';

/**
 * Moves on by 20 ms. For an event step the 4-byte payload is written to `dst` at `offset` and goes out with
 * `sender.timestamp`, the start of the digit. `timestamp` is the RTP time of this 20 ms.
 */
export function nextSendStep(
  sender: EventSender,
  timestamp: number,
  dst: Uint8Array,
  offset: number,
): SendStep {
  if (sender.step < 0) {
    const digit = sender.queue.shift();
    if (digit === undefined) return 'audio';
    sender.step = 0;
    sender.event = DIGITS.indexOf(digit);
    sender.timestamp = timestamp;
  }
  const step = sender.step;
  sender.step = step + 1 >= EVENT_STEPS + PAUSE_STEPS ? -1 : step + 1;
  if (step >= EVENT_STEPS) return 'pause';
  const duration = Math.min(step + 1, TONE_STEPS) * TICKS_PER_STEP;
  dst[offset] = sender.event;
  dst[offset + 1] = VOLUME_DBM0 | (step >= TONE_STEPS - 1 ? 0x80 : 0);
  dst[offset + 2] = duration >> 8;
  dst[offset + 3] = duration;
  return step === 0 ? 'event_start' : 'event';
}
