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

const MAX_CALLS = 500;
const MAX_ENTRIES = 64;

/** A call's messages, packed: direction and words are one of few strings, times are small numbers. */
interface Kept {
  readonly begunAt: number;
  readonly words: string[];
  readonly after: number[];
}

/** The last messages of the last calls, by Call-ID: methods and codes only, no numbers and no bodies. */
export function createTrace(): Trace {
  const calls = new Map<string, Kept>();
  const known = new Map<string, string>();
  /** One string for the same words, however often they are said. */
  const once = (words: string): string => {
    const same = known.get(words);
    if (same !== undefined) return same;
    if (known.size < MAX_CALLS) known.set(words, words);
    return words;
  };
  return {
    note(direction, message, at) {
      let kept = calls.get(message.callId);
      if (kept === undefined) {
        if (calls.size >= MAX_CALLS) {
          const oldest = calls.keys().next().value;
          if (oldest !== undefined) calls.delete(oldest);
        }
        kept = { begunAt: Math.round(at), words: [], after: [] };
        calls.set(message.callId, kept);
      }
      const what = message.kind === 'request' ? message.method : `${message.status} ${message.cseq.method}`;
      kept.words.push(once(`${direction} ${what}`));
      kept.after.push(Math.round(at) - kept.begunAt);
      if (kept.words.length <= MAX_ENTRIES) return;
      kept.words.shift();
      kept.after.shift();
    },
    of(callId) {
      const kept = calls.get(callId);
      if (kept === undefined) return [];
      return kept.words.map((words, n) => ({
        at: kept.begunAt + (kept.after[n] ?? 0),
        direction: words.startsWith('in ') ? 'in' : 'out',
        what: words.slice(words.indexOf(' ') + 1),
      }));
    },
  };
}
