import type { DtmfDigit } from '@callwright/audio';

/** DTMF digits as RTP telephone events (RFC 4733): pure receiver and sender. Times are RTP ticks. */
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
  /** Timestamp of the last reported event. */
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

/** An event without end packet ends after this silence. */
const LOST_END_MS = 120;

function finish(receiver: EventReceiver): DtmfDigit | null {
  receiver.active = false;
  receiver.reported = receiver.timestamp;
  return DIGITS[receiver.event] ?? null;
}

/** Timestamps up to this far before the last reported event are repeats of it; older ones are a new time base. */
const REPEAT_TICKS = 80_000;

function isOld(receiver: EventReceiver, timestamp: number): boolean {
  if (receiver.reported === null) return false;
  const step = (timestamp - receiver.reported) | 0;
  return step <= 0 && step > -REPEAT_TICKS;
}

/**
 * Handles one telephone-event payload. Returns the digit at its first end bit, or when the next event starts and the
 * end packets were lost. Reports one digit per timestamp, so repeats and a lost marker bit are harmless.
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
    // A late packet of an earlier event.
    if (step < 0 && step > -REPEAT_TICKS) return null;
    // RFC 4733 section 2.5.1.3: a long event continues in segments without a pause.
    const continues = event === receiver.event && step === receiver.duration && receiver.duration >= 0x8000;
    if (!continues) finished = finish(receiver);
  }
  receiver.active = true;
  receiver.event = event;
  receiver.timestamp = timestamp;
  receiver.duration = same ? Math.max(receiver.duration, duration) : duration;
  receiver.lastAt = at;
  if (!end) return finished;
  // One return value per packet: the previous event is reported now, this one at its next end packet.
  return finished ?? finish(receiver);
}

/** Called every 20 ms: ends an event whose packets stopped without an end bit. */
export function tickEvents(receiver: EventReceiver, at: number): DtmfDigit | null {
  return receiver.active && at - receiver.lastAt >= LOST_END_MS ? finish(receiver) : null;
}

export interface EventSender {
  readonly queue: DtmfDigit[];
  /** Completed 20 ms steps of the current digit or pause; -1 when idle. */
  step: number;
  event: number;
  timestamp: number;
  /** RTP ticks of 20 ms at the clock rate of the events. */
  ticksPerStep: number;
}

export const createEventSender = (): EventSender => ({
  queue: [],
  step: -1,
  event: 0,
  timestamp: 0,
  ticksPerStep: 160,
});

/** 100 ms of tone in steps 0 to 4, then two more copies of the end packet, then a pause. */
const TONE_STEPS = 5;
const END_COPIES = 3;
const PAUSE_STEPS = 3;
const EVENT_STEPS = TONE_STEPS + END_COPIES - 1;
const VOLUME_DBM0 = 10;
const MAX_QUEUED = 64;

export function queueDigits(sender: EventSender, digits: readonly DtmfDigit[]): void {
  for (const digit of digits) if (sender.queue.length < MAX_QUEUED) sender.queue.push(digit);
}

/** Content of a 20 ms step: audio, an event packet (the first one with the marker bit), or the pause after a digit. */
export type SendStep = 'audio' | 'event_start' | 'event' | 'pause';

/**
 * Advances by 20 ms. For an event step it writes the 4-byte payload to `dst` at `offset`; the packet's timestamp is
 * `sender.timestamp`, the start of the digit. `timestamp` is the RTP time of this step.
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
  const duration = Math.min(step + 1, TONE_STEPS) * sender.ticksPerStep;
  dst[offset] = sender.event;
  dst[offset + 1] = VOLUME_DBM0 | (step >= TONE_STEPS - 1 ? 0x80 : 0);
  dst[offset + 2] = duration >> 8;
  dst[offset + 3] = duration;
  return step === 0 ? 'event_start' : 'event';
}
