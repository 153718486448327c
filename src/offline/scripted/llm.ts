import type { Expected, HistoryItem } from '@callwright/turns';
import type { LlmEvent, LlmProvider, LlmSession } from '../../providers/ports/model.ts';
import { choiceSetting, listSetting, numberSetting, parseFakeName } from './options.ts';
import { systemScheduler, type Scheduler } from '../../shared/clock.ts';

/**
 * `error`: every reply fails at once (retryable); `error-once`: only a call's first request fails; `fatal`: not
 * retryable; `hang`: nothing ever comes; `stall`: stops after the first word; `empty`: done without text.
 */
const FAILURES = ['none', 'error', 'error-once', 'fatal', 'hang', 'stall', 'empty'] as const;
export type FakeLlmFailure = (typeof FAILURES)[number];

export interface FakeLlmOptions {
  /** Delay between request and first delta. */
  llmMs?: number;
  /** Delay between deltas of one word each. */
  perWordMs?: number;
  /** One reply per turn; the last one repeats. Absent: echoes the caller. */
  replies?: readonly string[];
  /** Tool calls after the text of reply number `reply` (from 0). */
  tools?: readonly { reply: number; name: string; args?: Record<string, unknown> }[];
  /** Calls `end_call` with this reply (from 0). */
  endAtReply?: number;
  expected?: Expected | null;
  failure?: FakeLlmFailure;
  scheduler?: Scheduler;
  /** Called with every request, for assertions about history and cancellation. */
  onRequest?: (request: { history: readonly HistoryItem[]; memory: unknown }) => void;
}

/** A brain with scripted replies, word by word, after configured delays. Its memory is the number of replies. */
export function createFakeLlm(options: FakeLlmOptions = {}): LlmProvider {
  return { name: 'fake', open: () => openSession(options), close: () => Promise.resolve() };
}

/** Settings by name: `fake:llmMs=200,perWordMs=20,replies=Hello.|Goodbye.,endAtReply=1,failure=error-once`. */
export function fakeLlmFromName(name: string): LlmProvider {
  const values = parseFakeName(name, ['llmMs', 'perWordMs', 'replies', 'endAtReply', 'failure']);
  const replies = listSetting(values, 'replies');
  const endAtReply = numberSetting(values, 'endAtReply');
  return createFakeLlm({
    llmMs: numberSetting(values, 'llmMs') ?? 0,
    perWordMs: numberSetting(values, 'perWordMs') ?? 0,
    failure: choiceSetting(values, 'failure', FAILURES) ?? 'none',
    ...(replies === undefined ? {} : { replies }),
    ...(endAtReply === undefined ? {} : { endAtReply }),
  });
}

function openSession(options: FakeLlmOptions): LlmSession {
  const scheduler = options.scheduler ?? systemScheduler;
  const perWordMs = options.perWordMs ?? 0;
  const cancels = new Set<() => void>();
  let requests = 0;
  let closed = false;

  return {
    reply({ history, memory, signal }, onEvent) {
      options.onRequest?.({ history, memory });
      const failure = failureOf(options, requests++);
      if (failure === 'hang') return;
      let cancel = (): void => undefined;
      const schedule = (delayMs: number, work: () => void): void => {
        const own = scheduler.after(delayMs, () => {
          cancels.delete(own);
          if (!closed && !signal.aborted) work();
        });
        cancel = own;
        cancels.add(own);
      };
      signal.addEventListener('abort', () => {
        cancel();
        cancels.delete(cancel);
      });

      const index = isCount(memory) ? memory.replies : 0;
      const words = failure === 'empty' ? [] : (lineFor(options, index, history).match(/\S+\s*/g) ?? []);
      const finish = (): void => {
        for (const event of closingEvents(options, index)) if (!signal.aborted) onEvent(event);
      };
      const say = (at: number): void => {
        const word = words[at];
        if (word === undefined) {
          finish();
          return;
        }
        onEvent({ type: 'delta', text: word });
        if (failure === 'stall') return;
        if (at + 1 < words.length && perWordMs > 0) schedule(perWordMs, () => say(at + 1));
        else if (!signal.aborted) say(at + 1);
      };
      schedule(options.llmMs ?? 0, () => {
        if (failure === 'error' || failure === 'fatal') {
          onEvent({ type: 'failed', message: 'fake model failure', retryable: failure === 'error' });
        } else say(0);
      });
    },
    close() {
      closed = true;
      for (const cancel of cancels) cancel();
      cancels.clear();
    },
  };
}

function failureOf(options: FakeLlmOptions, request: number): Exclude<FakeLlmFailure, 'error-once'> {
  const failure = options.failure ?? 'none';
  if (failure === 'error-once') return request === 0 ? 'error' : 'none';
  return failure;
}

function lineFor(options: FakeLlmOptions, index: number, history: readonly HistoryItem[]): string {
  if (options.replies && options.replies.length > 0) {
    return options.replies[Math.min(index, options.replies.length - 1)] ?? '';
  }
  const caller = history.findLast((item) => item.role === 'caller');
  return caller?.role === 'caller' ? `You said: ${caller.text}.` : 'Hello.';
}

function closingEvents(options: FakeLlmOptions, index: number): LlmEvent[] {
  const tools = (options.tools ?? [])
    .filter((tool) => tool.reply === index)
    .map((tool, at): LlmEvent => ({
      type: 'tool',
      id: `fake-${index}-${at}`,
      name: tool.name,
      args: tool.args ?? {},
    }));
  if (options.endAtReply === index) {
    tools.push({ type: 'tool', id: `fake-${index}-end`, name: 'end_call', args: {} });
  }
  return [...tools, { type: 'done', memory: { replies: index + 1 }, expected: options.expected ?? null }];
}

const isCount = (memory: unknown): memory is { replies: number } =>
  typeof memory === 'object' && memory !== null && 'replies' in memory && typeof memory.replies === 'number';
