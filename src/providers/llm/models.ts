import type { ModelAccount } from '../../vendors/catalogue.ts';
import type {
  BrainContext,
  LlmEvent,
  LlmProvider,
  LlmRequest,
  LlmSession,
  ModelUsage,
} from '../ports/model.ts';
import { withoutMarks } from '../../voice/prompt/render.ts';
import { vendorFault } from '../wire/fault.ts';
import { toolsOf } from './call-tools.ts';
import { keepAliveFetch } from './keep-alive.ts';
import { modelFault } from './model-fault.ts';
import {
  joinInstructions,
  messagesFor,
  sharedInstructions,
  stepInstructions,
  type Instructions,
} from './messages.ts';
import { ReplyTimeouts } from './timeouts.ts';
import { warmUp } from './warm-up.ts';
import { TokenPace } from './token-pace.ts';
import { argsOf, partsOf, plainArgs, ToolData, usageOf, type SdkCall } from './sdk-request.ts';
import { apiUrl, type OpenVendorModel, type SdkMessage } from './vendor-model.ts';

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

/** A vendor's language model as a provider; it connects with the first reply. */
export function modelProvider(options: ModelOptions, open: OpenVendorModel): LlmProvider {
  const fetch = options.fetch ?? keepAliveFetch;
  const vendorModel = open({ ...options, fetch });
  // Each reply reports the failure.
  vendorModel.catch(() => undefined);
  void warmUp(options, open);
  return {
    name: options.vendor,
    model: options.model,
    open: (context) => openSession(vendorModel, options, context),
    warm() {
      const signal = AbortSignal.timeout(WARM_MS);
      const opened = fetch(apiUrl(options), { method: 'HEAD', signal });
      opened.then((response) => response.body?.cancel()).catch(() => undefined);
    },
    close: () => Promise.resolve(),
  };
}

interface Call extends SdkCall {
  readonly options: ModelOptions;
  instructions: Instructions;
  readonly toolsSize: number;
  readonly pace: TokenPace;
  readonly toolData: ToolData;
}

const instructionsOf = (context: BrainContext): Instructions => ({
  shared: sharedInstructions(context),
  step: stepInstructions(context),
});

function openSession(
  vendorModel: Call['vendorModel'],
  options: ModelOptions,
  context: BrainContext,
): LlmSession {
  const { sampling } = context;
  const call: Call = {
    vendorModel,
    options,
    instructions: instructionsOf(context),
    tools: toolsOf(context.tools),
    toolsSize: JSON.stringify(context.tools).length,
    pace: new TokenPace(),
    sampling: {
      temperature: sampling?.temperature ?? TEMPERATURE,
      maxOutputTokens: sampling?.maxTokens ?? MAX_OUTPUT_TOKENS,
    },
    toolData: new ToolData(),
  };
  const closing = new AbortController();
  return {
    checksIn: true,
    reply(request, onEvent) {
      const stop = AbortSignal.any([request.signal, closing.signal]);
      const emit = (event: LlmEvent): void => {
        if (!stop.aborted) onEvent(event);
      };
      void stream(call, { ...request, stop }, emit);
    },
    hears(ears) {
      call.instructions = instructionsOf({ ...context, ...ears });
    },
    close: () => closing.abort(),
  };
}

type Request = Pick<LlmRequest, 'history' | 'onCancelled'> & { readonly stop: AbortSignal };

/** A request under way: the messages sent, and the characters of the answer so far. */
interface Running {
  readonly messages: readonly SdkMessage[];
  readonly stop: AbortSignal;
  readonly timeouts: ReplyTimeouts;
  answered: number;
}

async function stream(
  call: Call,
  { history, stop, onCancelled }: Request,
  emit: (event: LlmEvent) => void,
): Promise<void> {
  const { vendor, model, firstTokenMs = FIRST_TOKEN_MS, betweenTokensMs = BETWEEN_TOKENS_MS } = call.options;
  if (stop.aborted) return;
  const timeouts = new ReplyTimeouts({ firstMs: firstTokenMs, betweenMs: betweenTokensMs });
  const messages = messagesFor(history);
  call.toolData.addTo(messages);
  const running: Running = {
    messages,
    stop: AbortSignal.any([stop, timeouts.signal]),
    timeouts,
    answered: 0,
  };
  const charge = (): void => {
    const tokens = call.pace.estimate(sizeOf(call, running));
    onCancelled?.({ vendor, model, cachedTokens: null, ...tokens });
  };
  stop.addEventListener('abort', charge, { once: true });
  try {
    emit(await relay(call, running, emit));
  } catch (error) {
    emit(timeouts.signal.aborted ? tooLate(vendor) : failed(vendor, error));
  } finally {
    timeouts.end();
    stop.removeEventListener('abort', charge);
  }
}

/** Characters sent and received. */
const sizeOf = ({ instructions, toolsSize }: Call, { messages, answered }: Running) => ({
  input: joinInstructions(instructions).length + toolsSize + JSON.stringify(messages).length,
  output: answered,
});

/** Streams one reply; returns its last event. */
async function relay(call: Call, running: Running, emit: (event: LlmEvent) => void): Promise<LlmEvent> {
  const { options, tools, toolData } = call;
  const { timeouts } = running;
  const { vendor } = options;
  let hasOutput = false;
  let usage: ModelUsage | undefined;
  for await (const part of await partsOf(call, running.messages, running.stop)) {
    timeouts.alive();
    if (part.type === 'text-delta' && part.delta !== '') {
      hasOutput = true;
      timeouts.output();
      running.answered += part.delta.length;
      emit({ type: 'delta', text: withoutMarks(part.delta) });
    } else if (part.type === 'tool-call') {
      const { toolCallId: id, toolName: name, input } = part;
      const args = argsOf(input);
      if (args === null || !tools.some((tool) => tool.name === name)) continue;
      hasOutput = true;
      timeouts.output();
      running.answered += input.length;
      toolData.keep(name, args, part.providerMetadata);
      emit({ type: 'tool', id, name, args: plainArgs(args) });
    } else if (part.type === 'error') {
      return failed(vendor, part.error);
    } else if (part.type === 'finish') {
      usage = usageOf(options, part.usage);
      call.pace.learn(sizeOf(call, running), usage);
      // The stream ended without a finish message of the vendor.
      if (part.finishReason.unified === 'interrupted') return brokenOff(vendor, 'the answer is broken off');
    }
  }
  if (!hasOutput) return brokenOff(vendor, 'the answer is empty');
  return { type: 'done', memory: null, expected: null, ...(usage === undefined ? {} : { usage }) };
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
