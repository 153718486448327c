import { generateText, jsonSchema, NoObjectGeneratedError, Output, type LanguageModelUsage } from 'ai';
import { vendorOf, type ModelAccount } from '../../vendors/catalogue.ts';
import { keepAliveFetch } from '../llm/keep-alive.ts';
import { modelFault } from '../llm/model-fault.ts';
import { apiUrl } from '../llm/vendor-model.ts';
import type { ModelUsage } from '../ports/model.ts';
import { protocolOf } from './protocols.ts';

// The SDK prints its warnings otherwise.
globalThis.AI_SDK_LOG_WARNINGS = false;

const TIMEOUT_MS = 20_000;
/** Less time is not enough for an answer. */
const MIN_MS = 1_000;
const MAX_BYTES = 256 * 1024;
const MAX_TOKENS = 1_500;

/** A failed request to the model server. The message omits the server's text, which may quote prompts or keys. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
}

interface StructuredRequest {
  readonly system: string;
  /** Alternating roles, the user first. */
  readonly messages: readonly string[];
  readonly schema: Record<string, unknown>;
  readonly mostTokens?: number;
  readonly temperature?: number;
  /** Called with the tokens that the vendor reports for the answer. */
  readonly onUsage?: (usage: ModelUsage) => void;
}
interface StructuredModel {
  readonly name: string;
  readonly models: readonly Pick<ModelAccount, 'vendor' | 'model'>[];
  /** Rejects with `ModelUnavailable`. */
  answer(request: StructuredRequest): Promise<string>;
}

/** A model's account; `fetch`: how its address is reached if a user set it, under the address rules. */
export type StructuredAccount = ModelAccount & { readonly fetch?: typeof globalThis.fetch };

/** Requests one JSON answer of a model, bounded in time and size. */
export function createStructuredModel(account: StructuredAccount, timeoutMs = TIMEOUT_MS): StructuredModel {
  const answerOf = vendorOf(account.vendor).llm?.isOpenaiChat === true ? serverAnswer : vendorAnswer;
  const { vendor, model } = account;
  return {
    name: model,
    models: [{ vendor, model }],
    answer: (request) => answerOf(account, request, timeoutMs),
  };
}

/** Models in order of preference: the next one answers in the rest of the time when one is unavailable. */
export function structuredModels(
  accounts: readonly [StructuredAccount, ...StructuredAccount[]],
  timeoutMs = TIMEOUT_MS,
): StructuredModel {
  return {
    name: accounts[0].model,
    models: accounts.map(({ vendor, model }) => ({ vendor, model })),
    async answer(request) {
      const until = performance.now() + timeoutMs;
      let fault: unknown;
      for (const account of accounts) {
        const leftMs = Math.ceil(until - performance.now());
        if (fault !== undefined && leftMs < MIN_MS) break;
        try {
          return await createStructuredModel(account, leftMs).answer(request);
        } catch (error) {
          if (!(error instanceof ModelUnavailable)) throw error;
          fault = error;
        }
      }
      throw fault;
    },
  };
}

const roleOf = (at: number): 'user' | 'assistant' => (at % 2 === 0 ? 'user' : 'assistant');

async function vendorAnswer(
  account: StructuredAccount,
  { system, messages, schema, mostTokens = MAX_TOKENS, temperature = 0, onUsage }: StructuredRequest,
  timeoutMs: number,
): Promise<string> {
  const fetch = capped(account.fetch ?? keepAliveFetch);
  const report = (usage: LanguageModelUsage | undefined): void =>
    onUsage?.({
      vendor: account.vendor,
      model: account.model,
      inputTokens: usage?.inputTokens ?? null,
      cachedTokens: usage?.inputTokenDetails.cacheReadTokens ?? null,
      outputTokens: usage?.outputTokens ?? null,
    });
  const { model, reasoning, options } = await protocolOf(account.vendor, 'llm')({ ...account, fetch });
  try {
    const result = await generateText({
      model,
      instructions: system,
      messages: messages.map((content, at) => ({ role: roleOf(at), content })),
      output: Output.object({ schema: jsonSchema(schema) }),
      temperature,
      maxOutputTokens: mostTokens,
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(timeoutMs),
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(options === undefined ? {} : { providerOptions: options(system) }),
    });
    report(result.usage);
    return result.text;
  } catch (error) {
    // The caller judges the text, and may ask for a better one.
    if (NoObjectGeneratedError.isInstance(error) && typeof error.text === 'string') {
      report(error.usage);
      return error.text;
    }
    throw new ModelUnavailable(modelFault(account.vendor, error).message);
  }
}

/** Over OpenAI's chat protocol, which servers of this kind know best. */
async function serverAnswer(
  account: StructuredAccount,
  { system, messages, schema, mostTokens = MAX_TOKENS, temperature = 0, onUsage }: StructuredRequest,
  timeoutMs: number,
): Promise<string> {
  const body = {
    model: account.model,
    temperature,
    max_tokens: mostTokens,
    messages: [
      { role: 'system', content: system },
      ...messages.map((content, at) => ({ role: roleOf(at), content })),
    ],
    response_format: { type: 'json_schema', json_schema: { name: 'analysis', schema, strict: true } },
  };
  try {
    const { fetch = globalThis.fetch } = account;
    const response = await fetch(`${apiUrl(account)}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(account.key === null ? {} : { authorization: `Bearer ${account.key}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new ModelUnavailable(`the model server answered ${response.status}`);
    }
    const text = await textOf(response);
    onUsage?.({ vendor: account.vendor, model: account.model, ...usageOf(text) });
    return contentOf(text);
  } catch (error) {
    if (error instanceof ModelUnavailable) throw error;
    throw new ModelUnavailable('the request to the model server failed', { cause: error });
  }
}

/** A `fetch` whose answers are bounded. */
const capped =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const { status, headers } = response;
    return new Response(await textOf(response), { status, headers: [...headers] });
  };

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MAX_BYTES) throw new ModelUnavailable('the response of the model server is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function contentOf(text: string): string {
  const content = (JSON.parse(text) as { choices?: { message?: { content?: unknown } }[] } | null)
    ?.choices?.[0]?.message?.content;
  if (typeof content !== 'string')
    throw new ModelUnavailable('the response of the model server has no content');
  return content;
}

interface ReportedUsage {
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null;
}

/** The tokens that a server reports; null: it reports none. */
function usageOf(text: string): Pick<ModelUsage, 'inputTokens' | 'cachedTokens' | 'outputTokens'> {
  const usage = (JSON.parse(text) as { usage?: ReportedUsage | null } | null)?.usage;
  const count = (value: unknown): number | null =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
  return {
    inputTokens: count(usage?.prompt_tokens),
    cachedTokens: count(usage?.prompt_tokens_details?.cached_tokens),
    outputTokens: count(usage?.completion_tokens),
  };
}
