import type { SipStep } from './call.ts';
import { header, type SipMessage } from './message.ts';

export interface Trace {
  record(direction: 'in' | 'out', message: SipMessage, at: number): void;
  /** A call begins: its messages are kept until it ends, however many others pass. */
  begin(callId: string): void;
  /** A call ended: its messages stay until those of 2,000 further calls. */
  end(callId: string): void;
  /** The first and the last messages of a call, oldest first. */
  of(callId: string): readonly SipStep[];
}

/** Ended calls that are remembered, and Call-IDs of messages outside calls: probes, registrations, strangers. */
const MAX_CALLS = 2_000;
const MAX_OTHERS = 500;
/** Messages of one call: beyond them the oldest after the first KEPT_FIRST are dropped. */
const MAX_ENTRIES = 60;
const KEPT_FIRST = 30;
const MAX_NOTE_CHARS = 120;

/** The messages of one call in compact form: interned labels (`out INVITE`), notes and millisecond offsets. */
interface CallTrace {
  readonly callId: string;
  /** Null before the first message. */
  startedAt: number | null;
  readonly labels: string[];
  readonly notes: string[];
  readonly offsetsMs: number[];
}

const newTrace = (callId: string, startedAt: number | null): CallTrace => ({
  callId: ownText(callId),
  startedAt,
  labels: [],
  notes: [],
  offsetsMs: [],
});

/** The messages of live calls and of the last ended ones by Call-ID: no phone numbers, no credentials, no bodies. */
export function createTrace(): Trace {
  const live = new Map<string, CallTrace>();
  const ended = new Map<string, CallTrace>();
  const others = new Map<string, CallTrace>();
  const find = (callId: string): CallTrace | undefined =>
    live.get(callId) ?? ended.get(callId) ?? others.get(callId);
  const remember = (among: Map<string, CallTrace>, trace: CallTrace, max: number): void => {
    const [oldest] = among.keys();
    if (among.size >= max && oldest !== undefined) among.delete(oldest);
    among.set(trace.callId, trace);
  };
  const texts = new Map<string, string>();
  /** Interns texts, so that equal ones share one string. */
  const intern = (text: string): string => {
    const same = texts.get(text);
    if (same !== undefined) return same;
    if (texts.size < MAX_CALLS) texts.set(text, text);
    return text;
  };
  return {
    record(direction, message, at) {
      let trace = find(message.callId);
      if (trace === undefined) {
        trace = newTrace(message.callId, Math.round(at));
        remember(others, trace, MAX_OTHERS);
      }
      const what = message.kind === 'request' ? message.method : `${message.status} ${message.cseq.method}`;
      trace.labels.push(intern(`${direction} ${what}`));
      trace.notes.push(intern(noteOf(message)));
      trace.startedAt ??= Math.round(at);
      trace.offsetsMs.push(Math.round(at) - trace.startedAt);
      if (trace.labels.length <= MAX_ENTRIES) return;
      for (const list of [trace.labels, trace.notes, trace.offsetsMs]) list.splice(KEPT_FIRST, 1);
    },
    begin(callId) {
      // An inbound INVITE is recorded before its call begins.
      const trace = find(callId) ?? newTrace(callId, null);
      live.set(trace.callId, trace);
      ended.delete(callId);
      others.delete(callId);
    },
    end(callId) {
      const trace = live.get(callId);
      live.delete(callId);
      if (trace !== undefined) remember(ended, trace, MAX_CALLS);
    },
    of(callId) {
      const trace = find(callId);
      const startedAt = trace?.startedAt ?? null;
      if (trace === undefined || startedAt === null) return [];
      return trace.labels.map((label, n) => ({
        at: startedAt + (trace.offsetsMs[n] ?? 0),
        direction: label.startsWith('in ') ? 'in' : 'out',
        what: label.slice(label.indexOf(' ') + 1),
        note: trace.notes[n] ?? '',
      }));
    },
  };
}

/** A copy. The text itself is a slice of its datagram, and holds all of it. */
const ownText = (text: string): string => Buffer.from(text).toString();

/** Headers that explain an outcome and hold neither numbers nor credentials. */
const EXPLAINING = ['reason', 'retry-after', 'warning'];

/** The reason phrase of a response, and what the headers say about the outcome; runs of digits are masked. */
function noteOf(message: SipMessage): string {
  const parts = message.kind === 'response' ? [message.reason] : [];
  for (const name of EXPLAINING) {
    const value = header(message, name);
    if (value !== null) parts.push(`${name}: ${value}`);
  }
  // Most requests explain nothing.
  if (parts.length === 0) return '';
  return parts
    .join('; ')
    .slice(0, MAX_NOTE_CHARS)
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll(/\d{4,}/g, '****');
}
