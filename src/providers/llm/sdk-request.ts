import type { ModelUsage } from '../ports/model.ts';
import { joinInstructions, type Instructions } from './messages.ts';
import { withoutMarks } from '../../voice/prompt/render.ts';
import type { ProviderOptions, SdkMessage, SdkPart, SdkRequest, VendorModel } from './vendor-model.ts';

/** Shared by all requests of a call. */
export interface SdkCall {
  readonly vendorModel: Promise<VendorModel>;
  readonly instructions: Instructions;
  readonly tools: NonNullable<SdkRequest['tools']>;
  readonly sampling: { readonly temperature: number; readonly maxOutputTokens: number };
}

/**
 * Sends a request and streams the parts of the answer. The SDK's `streamText` would take six times the processor time, in
 * blocks that delay audio packets.
 */
export async function partsOf(
  { vendorModel: opening, instructions, tools, sampling }: SdkCall,
  messages: readonly SdkMessage[],
  stop: AbortSignal,
): Promise<AsyncIterable<SdkPart>> {
  const { model, reasoning, stable, options } = await opening;
  const { stream } = await model.doStream({
    prompt: [...systemOf(instructions, stable), ...messages],
    tools,
    toolChoice: { type: 'auto' },
    ...sampling,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(options === undefined ? {} : { providerOptions: options(instructions.shared) }),
    abortSignal: stop,
  });
  return stream;
}

/** With options of its own, the shared part is a message apart. */
function systemOf(instructions: Instructions, options: ProviderOptions | undefined): SdkMessage[] {
  if (options === undefined) return [{ role: 'system', content: joinInstructions(instructions) }];
  const { shared, step } = instructions;
  return [
    { role: 'system', content: shared, providerOptions: options },
    ...(step === '' ? [] : [{ role: 'system', content: step } as const]),
  ];
}

/** Parses the tool arguments of a model; an empty text means none. Null: not a JSON object. */
export function argsOf(input: string): Record<string, unknown> | null {
  if (input.trim() === '') return {};
  try {
    const args: unknown = JSON.parse(input, (name, value: unknown) =>
      name === '__proto__' ? undefined : value,
    );
    return isRecord(args) ? args : null;
  } catch {
    return null;
  }
}

export const usageOf = (
  model: Pick<ModelUsage, 'vendor' | 'model'>,
  { inputTokens, outputTokens }: Extract<SdkPart, { type: 'finish' }>['usage'],
): ModelUsage => ({
  vendor: model.vendor,
  model: model.model,
  inputTokens: inputTokens.total ?? null,
  cachedTokens: inputTokens.cacheRead ?? null,
  outputTokens: outputTokens.total ?? null,
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Removes the marks around values that a model repeats in its arguments. */
export const plainArgs = (args: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? withoutMarks(value) : value,
    ]),
  );

/** Metadata that vendors require back with their tool calls, such as thought signatures. */
export class ToolData {
  /** By name and arguments; the history has them without marks. */
  readonly #data = new Map<string, ProviderOptions>();

  keep(name: string, args: Record<string, unknown>, data: ProviderOptions | undefined): void {
    if (data !== undefined) this.#data.set(keyOf(name, args), data);
  }

  /** Adds the data to the tool calls of the messages. */
  addTo(messages: readonly SdkMessage[]): void {
    if (this.#data.size === 0) return;
    for (const message of messages) {
      if (message.role !== 'assistant') continue;
      for (const part of message.content) {
        if (part.type !== 'tool-call' || !isRecord(part.input)) continue;
        const data = this.#data.get(keyOf(part.toolName, part.input));
        if (data !== undefined) part.providerOptions = data;
      }
    }
  }
}

const keyOf = (name: string, args: Record<string, unknown>): string =>
  JSON.stringify([name, plainArgs(args)]);
