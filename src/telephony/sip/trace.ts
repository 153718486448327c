import type { SipMessage } from './message.ts';

export interface TraceEntry {
  readonly at: number;
  readonly direction: 'in' | 'out';
  /** `INVITE`, or `200 INVITE` for a response. */
  readonly what: string;
}

export interface Trace {
  note(direction: 'in' | 'out', message: SipMessage, at: number): void;
  /** The last messages of a call, oldest first. */
  of(callId: string): readonly TraceEntry[];
}

const MAX_CALLS = 2_000;
const MAX_ENTRIES = 64;

/** The last messages of the last calls, by Call-ID: methods and codes only, no numbers and no bodies. */
export function createTrace(): Trace {
  const calls = new Map<string, TraceEntry[]>();
  return {
    note(direction, message, at) {
      let entries = calls.get(message.callId);
      if (entries === undefined) {
        if (calls.size >= MAX_CALLS) {
          const oldest = calls.keys().next().value;
          if (oldest !== undefined) calls.delete(oldest);
        }
        entries = [];
        calls.set(message.callId, entries);
      }
      const what = message.kind === 'request' ? message.method : `${message.status} ${message.cseq.method}`;
      entries.push({ at, direction, what });
      if (entries.length > MAX_ENTRIES) entries.shift();
    },
    of: (callId) => calls.get(callId) ?? [],
  };
}
