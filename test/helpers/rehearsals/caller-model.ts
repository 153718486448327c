import { fakeTranscriptions, startFakeVendor, type FakeVendor } from '@callwright/stand-ins';
import type { StructuredModel } from '../../../src/domain/analysis/model-analyst.ts';
import { createStructuredModel } from '../../../src/providers/choose/structured-answer.ts';

/** What a stand-in answers to a request whose conversation has these words; the first that fits counts. */
export interface LineScript {
  readonly to: string;
  readonly say: string;
  readonly hangsUp?: boolean;
}

export const CALLER_MODEL = 'caller-model';

/** A server of one's own whose language model words callers, over OpenAI's chat protocol. */
export const startCallerModel = (script: readonly LineScript[]): Promise<FakeVendor> =>
  startFakeVendor(fakeTranscriptions, {
    settings: {
      replies: script.map(({ to, say, hangsUp = false }) => ({
        to,
        text: JSON.stringify({ say, hangs_up: hangsUp }),
      })),
    },
  });

/** The price of its model; each million tokens costs a euro, so that a token costs a millionth. */
export const CALLER_PRICES = {
  currency: 'EUR',
  prices: [
    {
      part: 'llm' as const,
      vendor: 'openai-compatible',
      model: CALLER_MODEL,
      perMillionTokens: { input: 1, output: 1 },
    },
  ],
};

/** What plays rehearsals with that model; without an address there is none. */
export const callersBy = (baseUrl: string | undefined) => ({
  modelOf: (_workspaceId: string): Promise<StructuredModel | null> =>
    Promise.resolve(
      baseUrl === undefined
        ? null
        : createStructuredModel({
            vendor: 'openai-compatible',
            baseUrl: `${baseUrl}/v1`,
            key: null,
            model: CALLER_MODEL,
          }),
    ),
  prices: CALLER_PRICES,
});
