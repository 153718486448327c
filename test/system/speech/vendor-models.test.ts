import { fakeAnthropic, fakeGoogle, fakeOpenai, fakeTranscriptions } from '@callwright/stand-ins';
import { modelContract, type ModelCase } from '../../helpers/vendors/model-contract.ts';

const CASES: readonly ModelCase[] = [
  {
    name: 'anthropic',
    fake: fakeAnthropic,
    path: '/v1/messages',
    asked: ({ system, temperature, max_tokens, thinking, messages }) => ({
      cache: system[0].cache_control,
      temperature,
      max_tokens,
      thinking,
      last: messages.at(-1).content.at(-1).text,
    }),
    wants: {
      cache: { type: 'ephemeral' },
      temperature: 0.2,
      max_tokens: 123,
      thinking: { type: 'disabled' },
      last: 'Hello.\nAgain.',
    },
    toolArgs: ({ messages }) =>
      messages.flatMap((message: any) => message.content).find((part: any) => part.type === 'tool_use').input,
  },
  {
    name: 'google',
    fake: fakeGoogle,
    path: '/v1beta/models/test-model:streamGenerateContent',
    asked: ({ generationConfig }) => generationConfig,
    wants: { temperature: 0.2, maxOutputTokens: 123, thinkingConfig: { thinkingBudget: 0 } },
    toolArgs({ contents }) {
      const part = contents
        .flatMap((content: any) => content.parts)
        .find((one: any) => one.functionCall !== undefined);
      // The vendor's own signature comes back with its call.
      return part.thoughtSignature === 'signature-find_slot' ? part.functionCall.args : null;
    },
  },
  {
    name: 'openai',
    fake: fakeOpenai,
    path: '/v1/responses',
    asked: ({ prompt_cache_key, store, temperature, max_output_tokens }) => ({
      key: /^[0-9a-f]{32}$/.test(prompt_cache_key as string),
      store,
      temperature,
      max_output_tokens,
    }),
    wants: { key: true, store: false, temperature: 0.2, max_output_tokens: 123 },
    toolArgs: ({ input }) =>
      JSON.parse(input.find((item: any) => item.type === 'function_call').arguments as string),
  },
  {
    name: 'openai-compatible',
    fake: fakeTranscriptions,
    path: '/v1/chat/completions',
    asked: ({ stream_options, temperature, max_tokens, reasoning_effort }) => ({
      stream_options,
      temperature,
      max_tokens,
      reasoning_effort,
    }),
    wants: {
      stream_options: { include_usage: true },
      temperature: 0.2,
      max_tokens: 123,
      reasoning_effort: undefined,
    },
    toolArgs: ({ messages }) =>
      JSON.parse(
        messages.flatMap((message: any) => message.tool_calls ?? [])[0].function.arguments as string,
      ),
  },
];

CASES.forEach(modelContract);
