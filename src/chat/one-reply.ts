import type { Expected, HistoryItem, LlmSession, ModelUsage } from '../voice/ports.ts';

export interface ChatReply {
  readonly text: string;
  readonly tools: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
  readonly memory: unknown;
  readonly expected: Expected | null;
  readonly usage: ModelUsage | null;
}
export type ReplyResult =
  | { readonly ok: true; readonly reply: ChatReply }
  | { readonly ok: false; readonly retryable: boolean };

/** Text of a reply beyond this is dropped. */
const MAX_REPLY_CHARS = 6_000;

/** One reply of the brain as a whole; a reply that breaks off is a failure, because nothing of it has been sent. */
export function oneReply(
  llm: LlmSession,
  request: { readonly history: readonly HistoryItem[]; readonly memory: unknown },
  signal: AbortSignal,
): Promise<ReplyResult> {
  return new Promise((resolve) => {
    const tools: ChatReply['tools'][number][] = [];
    let text = '';
    const stop = new AbortController();
    const end = (result: ReplyResult): void => {
      signal.removeEventListener('abort', giveUp);
      resolve(result);
    };
    const giveUp = (): void => {
      stop.abort();
      end({ ok: false, retryable: false });
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
          const { memory, expected, usage = null } = event;
          return end({ ok: true, reply: { text: text.trim(), tools, memory, expected, usage } });
        }
        case 'failed':
          return end({ ok: false, retryable: event.retryable });
        case 'switched':
          return;
        default:
          event satisfies never;
      }
    });
  });
}
