import type { LlmRequest, LlmSession } from './model.ts';

/** A model that is slower than this writes no summary. */
const LONGEST_MS = 15_000;

/** The summary that the model of an agent writes while the agent hands a conversation over. */
export class RunningSummary {
  readonly #onText: (text: string) => void;
  readonly #stop = new AbortController();
  readonly #settled: Promise<string | null>;
  #text: string | null = null;
  /** The other agent has the conversation. */
  #isTaken = false;

  /** `onText`: the text, once another agent has the conversation. */
  constructor(
    summarise: NonNullable<LlmSession['summarise']>,
    request: LlmRequest,
    onText: (text: string) => void,
  ) {
    this.#onText = onText;
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#settled = promise;
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(LONGEST_MS)]);
    signal.addEventListener('abort', () => resolve(null), { once: true });
    summarise(request.history, signal, (text, usage) => {
      if (usage !== null) request.onCancelled?.(usage);
      if (signal.aborted || text === '') return resolve(null);
      this.#text = text;
      resolve(text);
      if (this.#isTaken) this.#onText(text);
    });
  }

  /** Resolves with the text; null: the model failed, or took too long. */
  get settled(): Promise<string | null> {
    return this.#settled;
  }

  taken(): void {
    if (this.#isTaken) return;
    this.#isTaken = true;
    if (this.#text !== null) this.#onText(this.#text);
  }

  stop(): void {
    this.#stop.abort();
  }
}
