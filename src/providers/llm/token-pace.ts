import type { ModelUsage } from '../ports/model.ts';

/** Until a reply has been measured. */
const CHARS_PER_TOKEN = 4;

interface Size {
  readonly input: number;
  readonly output: number;
}

/**
 * Characters per token of a call's whole replies. A reply that is cancelled never reports its tokens, but the vendor charges
 * for them: they are estimated by this pace.
 */
export class TokenPace {
  #input = CHARS_PER_TOKEN;
  #output = CHARS_PER_TOKEN;

  /** `size`: characters sent and received for these tokens. */
  learn(size: Size, { inputTokens, outputTokens }: Pick<ModelUsage, 'inputTokens' | 'outputTokens'>): void {
    if (inputTokens !== null && inputTokens > 0 && size.input > 0) this.#input = size.input / inputTokens;
    if (outputTokens !== null && outputTokens > 0 && size.output > 0)
      this.#output = size.output / outputTokens;
  }

  estimate({ input, output }: Size): { readonly inputTokens: number; readonly outputTokens: number } {
    return {
      inputTokens: Math.round(input / this.#input),
      outputTokens: Math.round(output / this.#output),
    };
  }
}
