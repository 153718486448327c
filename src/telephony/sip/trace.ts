import type { SipMessage } from './message.ts';

export interface TraceEntry {
  readonly at: number;
  readonly direction: 'in' | 'out';
  /** `INVITE`, or `200 INVITE` for a response. */
  readonly what: string;
}

export interface Trace {
  record(direction: 'in' | 'out', message: SipMessage, at: number): void;
  /** The last messages of a call, oldest first. */
  of(callId: string): readonly TraceEntry[];
}

const MAX_CALLS = 500;
const MAX_ENTRIES = 64;

/** The messages of one call in compact form: interned labels (`out INVITE`) and millisecond offsets. */
interface CallTrace {
  readonly startedAt: number;
  readonly labels: string[];
  readonly offsetsMs: number[];
}

/** The last messages of the last calls by Call-ID: methods and status codes only, no phone numbers, no bodies. */
export function createTrace(): Trace {
  const calls = new Map<string, CallTrace>();
  const labels = new Map<string, string>();
  /** Interns labels, so that equal ones share one string. */
  const intern = (label: string): string => {
    const same = labels.get(label);
    if (same !== undefined) return same;
    if (labels.size < MAX_CALLS) labels.set(label, label);
    return label;
  };
  return {
    record(direction, message, at) {
      let trace = calls.get(message.callId);
      if (trace === undefined) {
        if (calls.size >= MAX_CALLS) {
          const oldest = calls.keys().next().value;
          if (oldest !== undefined) calls.delete(oldest);
        }
        trace = { startedAt: Math.round(at), labels: [], offsetsMs: [] };
        calls.set(message.callId, trace);
      }
      const what = message.kind === 'request' ? message.method : `${message.status} ${message.cseq.method}`;
      trace.labels.push(intern(`${direction} ${what}`));
      trace.offsetsMs.push(Math.round(at) - trace.startedAt);
      if (trace.labels.length <= MAX_ENTRIES) return;
      trace.labels.shift();
      trace.offsetsMs.shift();
    },
    of(callId) {
      const trace = calls.get(callId);
      if (trace === undefined) return [];
      return trace.labels.map((label, n) => ({
        at: trace.startedAt + (trace.offsetsMs[n] ?? 0),
        direction: label.startsWith('in ') ? 'in' : 'out',
        what: label.slice(label.indexOf(' ') + 1),
      }));
    },
  };
}
