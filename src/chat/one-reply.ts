import type { VendorFault } from '../shared/vendor-fault.ts';
import type { Expected } from '@callwright/turns';
import type { LlmRequest, LlmSession, ModelUsage, Replier } from '../providers/ports/model.ts';

export interface ChatReply {
  readonly text: string;
  readonly tools: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
  readonly memory: unknown;
  readonly expected: Expected | null;
  readonly usage: ModelUsage | null;
  /** Null: the brain has no name. */
  readonly by: Replier | null;
  /** Its model writes a summary, which the history gets. */
  readonly isSummarised: boolean;
  /** Moves of a flow that led to it. */
  readonly steps: readonly string[];
}
/** A fault of a model, and whether another engine replied instead. */
export interface ReplyTrouble {
  readonly fault: VendorFault;
  readonly effect: 'switched' | 'failed';
}
export type ReplyResult = { readonly troubles: readonly ReplyTrouble[] } & (
  | { readonly ok: true; readonly reply: ChatReply }
  | { readonly ok: false; readonly retryable: boolean }
);

/** For a brain without a vendor. */
const unnamed = ({ message, retryable }: { message: string; retryable: boolean }): VendorFault => ({
  vendor: '',
  kind: 'lost',
  status: null,
  message,
  retryable,
});

/** Longest reply, in characters; the rest is dropped. */
const MAX_REPLY_CHARS = 6_000;

/** Collects one whole reply of the brain. A reply that breaks off fails, because none of it has been sent. */
export function oneReply(
  llm: LlmSession,
  request: Pick<LlmRequest, 'history' | 'memory' | 'onCancelled'>,
  signal: AbortSignal,
): Promise<ReplyResult> {
  return new Promise((resolve) => {
    const tools: ChatReply['tools'][number][] = [];
    const troubles: ReplyTrouble[] = [];
    let text = '';
    const stop = new AbortController();
    const end = (result: ReplyResult): void => {
      signal.removeEventListener('abort', giveUp);
      resolve(result);
    };
    const giveUp = (): void => {
      stop.abort();
      end({ ok: false, retryable: false, troubles });
    };
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    llm.reply({ ...request, signal: stop.signal }, (event) => {
      switch (event.type) {
        case 'delta':
          text = (text + event.text).slice(0, MAX_REPLY_CHARS);
          return;
        case 'tool':
          tools.push({ name: event.name, args: event.args });
          return;
        case 'done': {
          const { memory, expected, usage = null, by = null, steps = [] } = event;
          const isSummarised = event.summarises !== undefined;
          const reply = { text: text.trim(), tools, memory, expected, usage, by, isSummarised, steps };
          return end({ ok: true, reply, troubles });
        }
        case 'failed':
          troubles.push({ fault: event.fault ?? unnamed(event), effect: 'failed' });
          return end({ ok: false, retryable: event.retryable, troubles });
        case 'switched':
          if (event.fault !== undefined) troubles.push({ fault: event.fault, effect: 'switched' });
          return;
        default:
          event satisfies never;
      }
    });
  });
}
