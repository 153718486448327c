import { MAX_RTP_BYTES } from './packet.ts';

/**
 * Adaptive reordering of one RTP stream without a constant playout delay: packets in sequence pass at once; behind a
 * gap up to `depth` packets (one to three) wait for the missing one. A late packet raises the depth, a calm period
 * lowers it. Pure: time comes with each packet or tick, packets leave through `out`.
 */
export interface ArrivingPacket {
  sequence: number;
  /** 32-bit RTP timestamp. */
  timestamp: number;
  ssrc: number;
  payloadType: number;
  /** RTP ticks of audio in the payload; 0 for packets without audio. */
  ticks: number;
  payload: Uint8Array;
}

export interface OrderedOut {
  /**
   * The next packet in order. `timestamp` is unwrapped, starts at 0 and never decreases; `lostBefore` is the number
   * of packets lost just before it. `payload` is only valid during the call.
   */
  onPacket(
    payloadType: number,
    payload: Uint8Array,
    ticks: number,
    timestamp: number,
    lostBefore: number,
    at: number,
  ): void;
}

interface Slot {
  used: boolean;
  sequence: number;
  timestamp: number;
  payloadType: number;
  ticks: number;
  arrivedAt: number;
  bytes: Uint8Array;
  length: number;
}

export interface ReorderWindow {
  clockRate: number;
  readonly slots: readonly Slot[];
  readonly candidate: Slot & { ssrc: number };
  /** Sequence number + 1 of the last packet in each slot: distinguishes a duplicate from a late packet. */
  readonly seen: Uint32Array;
  started: boolean;
  ssrc: number;
  /** Next sequence number to release, 16 bits. */
  expected: number;
  held: number;
  depth: number;
  calm: number;
  lostBefore: number;
  /** 32-bit timestamp expected after the last audio packet, and its unwrapped position. */
  nextTimestamp: number;
  nextPlace: number;
  lastLeftAt: number;
  packetMs: number;
  /** Released audio packets. */
  packets: number;
  /** Accepted packets, without duplicates and late ones. */
  received: number;
  /** Packets given up; those that arrive later also count as `late`. */
  lost: number;
  late: number;
  duplicates: number;
  restarts: number;
}

const SLOTS = 8;
const MAX_DEPTH = 3;
/** RFC 3550 appendix A.1: a larger step is a restarted stream, not loss. */
const MAX_DROPOUT = 3000;
const MAX_MISORDER = 100;
/** Consecutive packets in time that lower the depth by one: ten seconds at 20 ms. */
const CALM_PACKETS = 500;
const SEEN = 256;
/** A timestamp further ahead of the wall clock is a new time base. */
const MAX_LEAD_SECONDS = 2;

const createSlot = (): Slot => ({
  used: false,
  sequence: 0,
  timestamp: 0,
  payloadType: 0,
  ticks: 0,
  arrivedAt: 0,
  bytes: new Uint8Array(MAX_RTP_BYTES),
  length: 0,
});

export function createReorderWindow(clockRate: number): ReorderWindow {
  return {
    clockRate,
    slots: Array.from({ length: SLOTS }, createSlot),
    candidate: { ...createSlot(), ssrc: 0 },
    seen: new Uint32Array(SEEN),
    started: false,
    ssrc: 0,
    expected: 0,
    held: 0,
    depth: 1,
    calm: 0,
    lostBefore: 0,
    nextTimestamp: 0,
    nextPlace: 0,
    lastLeftAt: 0,
    packetMs: 20,
    packets: 0,
    received: 0,
    lost: 0,
    late: 0,
    duplicates: 0,
    restarts: 0,
  };
}

/** Another codec with another RTP clock follows: the position stays where it is in time. */
export function setClockRate(window: ReorderWindow, clockRate: number): void {
  window.nextPlace = Math.round((window.nextPlace / window.clockRate) * clockRate);
  window.clockRate = clockRate;
}

const slotOf = (window: ReorderWindow, sequence: number): Slot =>
  window.slots[sequence & (SLOTS - 1)] as Slot;

function store(slot: Slot, packet: ArrivingPacket, at: number): void {
  slot.used = true;
  slot.sequence = packet.sequence;
  slot.timestamp = packet.timestamp;
  slot.payloadType = packet.payloadType;
  slot.ticks = packet.ticks;
  slot.arrivedAt = at;
  slot.length = Math.min(packet.payload.length, slot.bytes.length);
  slot.bytes.set(
    packet.payload.length > slot.length ? packet.payload.subarray(0, slot.length) : packet.payload,
  );
}

/** Unwrapped position of a packet; rebases when the stream's clock jumps. */
function placeOf(window: ReorderWindow, timestamp: number, at: number): number {
  const ahead = (timestamp - window.nextTimestamp) | 0;
  const elapsed = Math.max(0, ((at - window.lastLeftAt) / 1000) * window.clockRate);
  if (ahead >= 0 && ahead <= elapsed + MAX_LEAD_SECONDS * window.clockRate) return window.nextPlace + ahead;
  const silence = elapsed - (window.packetMs / 1000) * window.clockRate;
  // Overlapping timestamps continue without a gap; after a jump the gap is the elapsed wall time.
  return window.nextPlace + (ahead < 0 && silence < window.clockRate ? 0 : Math.max(0, Math.round(silence)));
}

function leave(
  window: ReorderWindow,
  out: OrderedOut,
  payloadType: number,
  payload: Uint8Array,
  ticks: number,
  timestamp: number,
  at: number,
): void {
  window.expected = (window.expected + 1) & 0xffff;
  if (ticks === 0) {
    // Telephone events share the sequence numbers but not the audio timeline: their gaps are not audio loss.
    out.onPacket(payloadType, payload, 0, window.nextPlace, window.lostBefore, at);
    return;
  }
  const place = window.packets === 0 ? 0 : placeOf(window, timestamp, at);
  const lostBefore = window.lostBefore;
  window.lostBefore = 0;
  window.packets += 1;
  window.nextTimestamp = (timestamp + ticks) >>> 0;
  window.nextPlace = place + ticks;
  window.lastLeftAt = at;
  window.packetMs = (ticks * 1000) / window.clockRate;
  out.onPacket(payloadType, payload, ticks, place, lostBefore, at);
}

/** Releases held packets that are now in sequence. */
function drain(window: ReorderWindow, out: OrderedOut, at: number): void {
  while (window.held > 0) {
    const slot = slotOf(window, window.expected);
    if (!slot.used || slot.sequence !== window.expected) return;
    slot.used = false;
    window.held -= 1;
    leave(window, out, slot.payloadType, slot.bytes.subarray(0, slot.length), slot.ticks, slot.timestamp, at);
  }
}

function giveUpOne(window: ReorderWindow, out: OrderedOut, at: number): void {
  window.expected = (window.expected + 1) & 0xffff;
  window.lost += 1;
  window.lostBefore += 1;
  drain(window, out, at);
}

/** Gives up all packets before the oldest held one. */
function giveUpToHeld(window: ReorderWindow, out: OrderedOut, at: number): void {
  const before = window.held;
  while (window.held > 0 && window.held === before) giveUpOne(window, out, at);
}

function restart(window: ReorderWindow, packet: { sequence: number; ssrc: number }): void {
  window.started = true;
  window.ssrc = packet.ssrc;
  window.expected = packet.sequence;
  window.seen.fill(0);
  window.lostBefore = 0;
  window.candidate.used = false;
}

function markSeen(window: ReorderWindow, sequence: number): void {
  window.seen[sequence & (SEEN - 1)] = sequence + 1;
}

/** Two consecutive packets outside the current stream restart it (RFC 3550 appendix A.1). */
function considerRestart(window: ReorderWindow, packet: ArrivingPacket, at: number, out: OrderedOut): void {
  const candidate = window.candidate;
  const follows =
    candidate.used &&
    candidate.ssrc === packet.ssrc &&
    ((candidate.sequence + 1) & 0xffff) === packet.sequence;
  if (!follows) {
    store(candidate, packet, at);
    candidate.ssrc = packet.ssrc;
    return;
  }
  while (window.held > 0) giveUpToHeld(window, out, at);
  restart(window, candidate);
  window.restarts += 1;
  // A restarted stream has a new time base: its first packet continues after the old stream plus the pause.
  const pause = ((candidate.arrivedAt - window.lastLeftAt) / 1000) * window.clockRate - candidate.ticks;
  window.nextPlace += window.packets === 0 ? 0 : Math.max(0, Math.round(pause));
  window.nextTimestamp = candidate.timestamp;
  window.lastLeftAt = candidate.arrivedAt;
  markSeen(window, candidate.sequence);
  window.received += 1;
  leave(
    window,
    out,
    candidate.payloadType,
    candidate.bytes.subarray(0, candidate.length),
    candidate.ticks,
    candidate.timestamp,
    at,
  );
  pushPacket(window, packet, at, out);
}

/** Handles one packet of the latched source at epoch ms `at`. */
export function pushPacket(window: ReorderWindow, packet: ArrivingPacket, at: number, out: OrderedOut): void {
  if (!window.started) restart(window, packet);
  const ahead = ((packet.sequence - window.expected) << 16) >> 16;
  if (packet.ssrc !== window.ssrc || ahead > MAX_DROPOUT || ahead < -MAX_MISORDER) {
    considerRestart(window, packet, at, out);
    return;
  }
  window.candidate.used = false;
  if (window.seen[packet.sequence & (SEEN - 1)] === packet.sequence + 1) {
    window.duplicates += 1;
    return;
  }
  markSeen(window, packet.sequence);
  if (ahead < 0) {
    window.late += 1;
    window.depth = Math.min(MAX_DEPTH, window.depth + 1);
    window.calm = 0;
    return;
  }
  window.received += 1;
  window.calm += 1;
  if (window.calm >= CALM_PACKETS) {
    window.calm = 0;
    window.depth = Math.max(1, window.depth - 1);
  }
  if (ahead === 0) {
    leave(window, out, packet.payloadType, packet.payload, packet.ticks, packet.timestamp, at);
    drain(window, out, at);
    return;
  }
  // Give up missing packets until this one is within the depth, then hold it.
  while (((packet.sequence - window.expected) & 0xffff) > window.depth) giveUpOne(window, out, at);
  if (packet.sequence === window.expected) {
    leave(window, out, packet.payloadType, packet.payload, packet.ticks, packet.timestamp, at);
    drain(window, out, at);
    return;
  }
  store(slotOf(window, packet.sequence), packet, at);
  window.held += 1;
}

/** Called every 20 ms: gives up a gap when the oldest held packet has waited `depth` packet times. */
export function tickWindow(window: ReorderWindow, at: number, out: OrderedOut): void {
  if (window.held === 0) return;
  let oldest = at;
  for (const slot of window.slots) if (slot.used && slot.arrivedAt < oldest) oldest = slot.arrivedAt;
  if (at - oldest >= window.depth * window.packetMs) giveUpToHeld(window, out, at);
}
