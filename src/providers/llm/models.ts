import { streamText, type ModelMessage, type ToolSet } from 'ai';
import type { ModelAccount } from '../../shared/vendors.ts';
import type {
  BrainContext,
  LlmEvent,
  LlmProvider,
  LlmRequest,
  LlmSession,
  ModelUsage,
} from '../../voice/ports.ts';
import { withoutMarks } from '../../voice/prompt/render.ts';
import { vendorFault } from '../vendor/fault.ts';
import { toolsOf } from './call-tools.ts';
import { keepAliveFetch } from './keep-alive.ts';
import { modelFault } from './model-fault.ts';
import { instructionsFor, messagesFor } from './openai-messages.ts';
import { rehearse } from './rehearsal.ts';
import { introduced } from './script/purpose.ts';
import { TokenPace } from './token-pace.ts';
import { apiUrl, openVendorModel, type VendorModel } from './vendor-models.ts';

export interface ModelOptions extends ModelAccount {
  /** Fetch for servers that agents configure (address rules apply); absent: connections that stay open. */
  readonly fetch?: typeof globalThis.fetch;
  /** Longest wait for the first word or tool call. */
  readonly firstTokenMs?: number;
  /** Longest wait between two tokens. */
  readonly betweenTokensMs?: number;
}

/** The agent's own sampling settings override these. */
const TEMPERATURE = 0.3;
const MAX_OUTPUT_TOKENS = 400;
const FIRST_TOKEN_MS = 5_000;
const BETWEEN_TOKENS_MS = 4_000;
const WARM_MS = 3_000;

// The SDK prints its warnings otherwise.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** A brain over a vendor's language model, or over a server with OpenAI's protocol. It connects with the first reply. */
export function openModel(options: ModelOptions): LlmProvider {
  const fetch = options.fetch ?? keepAliveFetch;
  const vendorModel = openVendorModel({ ...options, fetch });
  // Each reply reports the failure.
  vendorModel.catch(() => undefined);
  void rehearse(options);
  return {
    name: options.vendor,
    open: (context) => openSession(vendorModel, options, context),
    warm() {
      const signal = AbortSignal.timeout(WARM_MS);
      const opened = fetch(apiUrl(options), { method: 'HEAD', signal });
      opened.then((response) => response.body?.cancel()).catch(() => undefined);
    },
    close: () => Promise.resolve(),
  };
}

interface Call {
  readonly vendorModel: Promise<VendorModel>;
  readonly options: ModelOptions;
  instructions: string;
  readonly tools: ToolSet;
  readonly toolsSize: number;
  readonly pace: TokenPace;
  readonly sampling: { readonly temperature: number; readonly maxOutputTokens: number };
  /** What a vendor wants back with its tool calls, by their name and arguments. */
  readonly toolData: Map<string, ToolData>;
}

type ToolData = NonNullable<Extract<ModelMessage, { role: 'user' }>['providerOptions']>;

function openSession(
  vendorModel: Call['vendorModel'],
  options: ModelOptions,
  context: BrainContext,
): LlmSession {
  const { sampling } = context;
  const call: Call = {
    vendorModel,
    options,
    instructions: instructionsFor(context),
    tools: toolsOf(context.tools),
    toolsSize: JSON.stringify(context.tools).length,
    pace: new TokenPace(),
    sampling: {
      temperature: sampling?.temperature ?? TEMPERATURE,
      maxOutputTokens: sampling?.maxTokens ?? MAX_OUTPUT_TOKENS,
    },
    toolData: new Map(),
  };
  const closing = new AbortController();
  return {
    ...introduced(context),
    checksIn: true,
    reply(request, onEvent) {
      const stop = AbortSignal.any([request.signal, closing.signal]);
      const emit = (event: LlmEvent): void => {
        if (!stop.aborted) onEvent(event);
      };
      void stream(call, { ...request, stop }, emit);
    },
    hears(ears) {
      call.instructions = instructionsFor({ ...context, ...ears });
    },
    close: () => closing.abort(),
  };
}

type Request = Pick<LlmRequest, 'history' | 'onCancelled'> & { readonly stop: AbortSignal };

/** A request under way: the messages sent, and the characters of the answer so far. */
interface Running {
  readonly messages: readonly ModelMessage[];
  readonly stop: AbortSignal;
  answered: number;
}

async function stream(
  call: Call,
  { history, stop, onCancelled }: Request,
  emit: (event: LlmEvent) => void,
): Promise<void> {
  const { vendor, model, firstTokenMs = FIRST_TOKEN_MS } = call.options;
  if (stop.aborted) return;
  // The SDK's first-output timer starts at the response headers; this one covers a server that never responds.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), firstTokenMs);
  const running: Running = {
    messages: withToolData(messagesFor(history), call.toolData),
    stop: AbortSignal.any([stop, late.signal]),
    answered: 0,
  };
  const charge = (): void => {
    const tokens = call.pace.estimate(sizeOf(call, running));
    onCancelled?.({ vendor, model, cachedTokens: null, ...tokens });
  };
  stop.addEventListener('abort', charge, { once: true });
  try {
    emit(
      await relay(call, running, (event) => {
        clearTimeout(timer);
        emit(event);
      }),
    );
  } catch (error) {
    emit(late.signal.aborted ? tooLate(vendor) : failed(vendor, error));
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', charge);
  }
}

/** Characters sent and received. */
const sizeOf = ({ instructions, toolsSize }: Call, { messages, answered }: Running) => ({
  input: instructions.length + toolsSize + JSON.stringify(messages).length,
  output: answered,
});

/** Streams one reply; returns its last event. */
async function relay(call: Call, running: Running, emit: (event: LlmEvent) => void): Promise<LlmEvent> {
  const { options, instructions, tools, sampling, toolData } = call;
  const { vendor, model, betweenTokensMs = BETWEEN_TOKENS_MS } = options;
  const vendorModel = await call.vendorModel;
  const { reasoning, stable } = vendorModel;
  const result = streamText({
    model: vendorModel.model,
    instructions: {
      role: 'system',
      content: instructions,
      ...(stable === undefined ? {} : { providerOptions: stable }),
    },
    messages: [...running.messages],
    tools,
    maxRetries: 0,
    ...sampling,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(vendorModel.options === undefined ? {} : { providerOptions: vendorModel.options(instructions) }),
    abortSignal: running.stop,
    timeout: { chunkMs: betweenTokensMs },
    // Errors arrive as stream parts; the default handler would print them.
    onError: () => undefined,
  });
  let hasOutput = false;
  let usage: ModelUsage | undefined;
  for await (const part of result.stream) {
    if (part.type === 'text-delta' && part.text !== '') {
      hasOutput = true;
      running.answered += part.text.length;
      emit({ type: 'delta', text: withoutMarks(part.text) });
    } else if (part.type === 'tool-call' && part.invalid !== true && isRecord(part.input)) {
      hasOutput = true;
      running.answered += JSON.stringify(part.input).length;
      if (part.providerMetadata !== undefined)
        toolData.set(toolKey(part.toolName, part.input), part.providerMetadata);
      emit({ type: 'tool', id: part.toolCallId, name: part.toolName, args: plainArgs(part.input) });
    } else if (part.type === 'error') {
      return failed(vendor, part.error);
    } else if (part.type === 'abort') {
      return tooLate(vendor);
    } else if (part.type === 'finish') {
      const { inputTokens, outputTokens, inputTokenDetails } = part.totalUsage;
      usage = {
        vendor,
        model,
        inputTokens: inputTokens ?? null,
        cachedTokens: inputTokenDetails.cacheReadTokens ?? null,
        outputTokens: outputTokens ?? null,
      };
      call.pace.learn(sizeOf(call, running), usage);
      // The stream ended without the vendor's own end.
      if (part.finishReason === 'interrupted') return brokenOff(vendor, 'the answer is broken off');
    }
  }
  if (!hasOutput) return brokenOff(vendor, 'the answer is empty');
  return { type: 'done', memory: null, expected: null, ...(usage === undefined ? {} : { usage }) };
}

/** Arguments in history are without marks. */
const toolKey = (name: string, args: Record<string, unknown>): string =>
  JSON.stringify([name, plainArgs(args)]);

/** Gives the vendor back what it sent with its tool calls, such as Gemini's thought signatures. */
function withToolData(messages: ModelMessage[], toolData: ReadonlyMap<string, ToolData>): ModelMessage[] {
  if (toolData.size === 0) return messages;
  for (const message of messages) {
    if (message.role !== 'assistant' || typeof message.content === 'string') continue;
    for (const part of message.content) {
      if (part.type !== 'tool-call' || !isRecord(part.input)) continue;
      const data = toolData.get(toolKey(part.toolName, part.input));
      if (data !== undefined) part.providerOptions = data;
    }
  }
  return messages;
}

function failed(vendor: string, error: unknown): LlmEvent {
  const fault = modelFault(vendor, error);
  return { type: 'failed', message: fault.message, retryable: fault.retryable, fault };
}

const tooLate = (vendor: string): LlmEvent => failed(vendor, new DOMException('', 'TimeoutError'));

function brokenOff(vendor: string, detail: string): LlmEvent {
  const fault = vendorFault(vendor, 'lost', detail);
  return { type: 'failed', message: fault.message, retryable: true, fault };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Arguments that repeat a marked value get the value alone. */
const plainArgs = (args: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? withoutMarks(value) : value,
    ]),
  );
