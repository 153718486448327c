import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, jsonSchema, streamText, tool, type LanguageModel, type ToolSet } from 'ai';
import { introduced } from './offline/introduction.ts';
import { instructionsFor, messagesFor } from './openai-messages.ts';
import type { BrainContext, LlmEvent, LlmProvider, LlmSession, ToolSpec } from '../../voice/ports.ts';

export interface OpenAiCompatibleOptions {
  /** Up to and including the version, e.g. `https://api.example.com/v1`. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  /** Longest wait for the first word or tool call. */
  firstTokenMs?: number;
  /** Longest silence between two words. */
  betweenTokensMs?: number;
  temperature?: number;
  maxOutputTokens?: number;
  /** How its server is reached; absent: as the operator's own. */
  fetch?: typeof globalThis.fetch;
}

/** Tools every agent has; the session carries them out. */
const CALL_TOOLS: readonly ToolSpec[] = [
  {
    name: 'end_call',
    description: 'Hang up once your goodbye has been heard.',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  },
  {
    name: 'opt_out',
    description: 'The caller does not want to be called again. Ends the call after your last sentence.',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  },
  {
    name: 'schedule_callback',
    description: 'The caller wants to be called back at another time.',
    parameters: {
      type: 'object',
      properties: {
        when: {
          type: 'string',
          description: 'Day and time as YYYY-MM-DDTHH:MM, or in English words such as "tomorrow at 3 pm".',
        },
      },
      required: ['when'],
      additionalProperties: false,
    },
  },
];

/** A brain behind any server that speaks the OpenAI chat-completions protocol, streamed. */
export function createOpenAiCompatibleLlm(options: OpenAiCompatibleOptions): LlmProvider {
  const model = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: options.baseUrl.replace(/\/+$/, ''),
    ...(options.apiKey === null ? {} : { apiKey: options.apiKey }),
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  }).chatModel(options.model);
  return {
    name: 'openai-compatible',
    open: (context) => openSession(model, options, context),
    close: () => Promise.resolve(),
  };
}

function openSession(
  model: LanguageModel,
  options: OpenAiCompatibleOptions,
  context: BrainContext,
): LlmSession {
  const instructions = instructionsFor(context);
  const tools = toolsOf(context.tools);
  const sampled = sampledBy(options, context);
  const closing = new AbortController();
  return {
    ...introduced(context),
    reply({ history, signal }, onEvent) {
      const stop = AbortSignal.any([signal, closing.signal]);
      const emit = (event: LlmEvent): void => {
        if (!stop.aborted) onEvent(event);
      };
      void stream(model, sampled, { instructions, tools, history, stop }, emit);
    },
    close: () => closing.abort(),
  };
}

/** The agent's own settings go before the provider's. */
function sampledBy(options: OpenAiCompatibleOptions, { sampling }: BrainContext): OpenAiCompatibleOptions {
  return {
    ...options,
    ...(sampling?.temperature == null ? {} : { temperature: sampling.temperature }),
    ...(sampling?.maxTokens == null ? {} : { maxOutputTokens: sampling.maxTokens }),
  };
}

function toolsOf(specs: readonly ToolSpec[]): ToolSet {
  const known = new Map(CALL_TOOLS.map((spec) => [spec.name, spec]));
  for (const spec of specs) {
    const own = known.get(spec.name);
    // An agent may say when a tool that every agent has is to be used, and nothing else of it.
    const said = spec.description === '' ? own?.description : spec.description;
    known.set(spec.name, own === undefined ? spec : { ...own, description: said ?? own.description });
  }
  return Object.fromEntries(
    [...known.values()].map((spec) => [
      spec.name,
      tool({
        description: spec.description,
        inputSchema: jsonSchema<Record<string, unknown>>(spec.parameters),
      }),
    ]),
  );
}

interface Request {
  instructions: string;
  tools: ToolSet;
  history: Parameters<typeof messagesFor>[0];
  stop: AbortSignal;
}

async function stream(
  model: LanguageModel,
  options: OpenAiCompatibleOptions,
  request: Request,
  emit: (event: LlmEvent) => void,
): Promise<void> {
  // The SDK's own first-output timer starts with the answer's headers; a server that never answers needs ours.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), options.firstTokenMs ?? 5000);
  try {
    await relay(model, options, request, AbortSignal.any([request.stop, late.signal]), emit, () =>
      clearTimeout(timer),
    );
  } catch (error) {
    emit(late.signal.aborted ? tooLate() : failure(error));
  } finally {
    clearTimeout(timer);
  }
}

async function relay(
  model: LanguageModel,
  options: OpenAiCompatibleOptions,
  request: Request,
  stop: AbortSignal,
  emit: (event: LlmEvent) => void,
  onFirst: () => void,
): Promise<void> {
  const result = streamText({
    model,
    instructions: request.instructions,
    messages: messagesFor(request.history),
    tools: request.tools,
    maxRetries: 0,
    temperature: options.temperature ?? 0.3,
    maxOutputTokens: options.maxOutputTokens ?? 400,
    abortSignal: stop,
    timeout: { chunkMs: options.betweenTokensMs ?? 4000 },
    // Errors arrive as parts of the stream; the default would print them.
    onError: () => undefined,
  });
  let said = false;
  for await (const part of result.stream) {
    if (request.stop.aborted) return;
    if (part.type === 'text-delta' && part.text !== '') {
      said = true;
      onFirst();
      emit({ type: 'delta', text: part.text });
    } else if (part.type === 'tool-call' && part.invalid !== true && isRecord(part.input)) {
      said = true;
      onFirst();
      emit({ type: 'tool', id: part.toolCallId, name: part.toolName, args: part.input });
    } else if (part.type === 'error') {
      emit(failure(part.error));
      return;
    } else if (part.type === 'abort') {
      emit(tooLate());
      return;
    }
  }
  if (said) emit({ type: 'done', memory: null, expected: null });
  else emit({ type: 'failed', message: 'the model answered nothing', retryable: true });
}

/** Errors as a call sees them: never with the server's text, which may quote prompts or keys. */
function failure(error: unknown): LlmEvent {
  const cause = APICallError.isInstance(error) ? error : null;
  if (cause?.statusCode !== undefined && cause.statusCode >= 400) {
    const { statusCode } = cause;
    const retryable = statusCode >= 500 || statusCode === 429 || statusCode === 408;
    return { type: 'failed', message: `the model server answered ${statusCode}`, retryable };
  }
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return tooLate();
  }
  return { type: 'failed', message: 'the model server could not be used', retryable: true };
}

const tooLate = (): LlmEvent => ({
  type: 'failed',
  message: 'the model did not answer in time',
  retryable: true,
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
