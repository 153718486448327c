import type { SipStep } from './call.ts';
import { header, type SipMessage } from './message.ts';

export interface Trace {
  record(direction: 'in' | 'out', message: SipMessage, at: number): void;
  /** The first and the last messages of a call, oldest first. */
  of(callId: string): readonly SipStep[];
}

const MAX_CALLS = 2_000;
/** Messages of one call: beyond them the oldest after the first KEPT_FIRST are dropped. */
const MAX_ENTRIES = 60;
const KEPT_FIRST = 30;
const MAX_NOTE_CHARS = 120;

/** The messages of one call in compact form: interned labels (`out INVITE`), notes and millisecond offsets. */
interface CallTrace {
  readonly startedAt: number;
  readonly labels: string[];
  readonly notes: string[];
  readonly offsetsMs: number[];
}

/** The messages of the last calls by Call-ID: no phone numbers, no credentials, no bodies. */
export function createTrace(): Trace {
  const calls = new Map<string, CallTrace>();
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
      let trace = calls.get(message.callId);
      if (trace === undefined) {
        if (calls.size >= MAX_CALLS) {
          const oldest = calls.keys().next().value;
          if (oldest !== undefined) calls.delete(oldest);
        }
        trace = { startedAt: Math.round(at), labels: [], notes: [], offsetsMs: [] };
        calls.set(message.callId, trace);
      }
      const what = message.kind === 'request' ? message.method : `${message.status} ${message.cseq.method}`;
      trace.labels.push(intern(`${direction} ${what}`));
      trace.notes.push(intern(noteOf(message)));
      trace.offsetsMs.push(Math.round(at) - trace.startedAt);
      if (trace.labels.length <= MAX_ENTRIES) return;
      for (const list of [trace.labels, trace.notes, trace.offsetsMs]) list.splice(KEPT_FIRST, 1);
    },
    of(callId) {
      const trace = calls.get(callId);
      if (trace === undefined) return [];
      return trace.labels.map((label, n) => ({
        at: trace.startedAt + (trace.offsetsMs[n] ?? 0),
        direction: label.startsWith('in ') ? 'in' : 'out',
        what: label.slice(label.indexOf(' ') + 1),
        note: trace.notes[n] ?? '',
      }));
    },
  };
}

/** Headers that explain an outcome and hold neither numbers nor credentials. */
const EXPLAINING = ['reason', 'retry-after', 'warning'] as const;

/** The reason phrase of a response, and what the headers say about the outcome; runs of digits are masked. */
function noteOf(message: SipMessage): string {
  const phrase = message.kind === 'response' ? [message.reason] : [];
  const headers = EXPLAINING.flatMap((name) => {
    const value = header(message, name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  return [...phrase, ...headers]
    .join('; ')
    .slice(0, MAX_NOTE_CHARS)
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll(/\d{4,}/g, '****');
}
