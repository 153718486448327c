import type { OpenAiCompatibleOptions } from './openai-compatible.ts';

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 256 * 1024;
const MAX_TOKENS = 1_500;

/** The model server gave nothing that could be used; without its text, which may quote prompts or keys. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
}

/** Asks a server of the OpenAI chat-completions protocol for one JSON answer, bounded in time and size. */
export function createStructuredModel(options: OpenAiCompatibleOptions & { timeoutMs?: number }): {
  name: string;
  answer(request: {
    system: string;
    messages: readonly string[];
    schema: Record<string, unknown>;
  }): Promise<string>;
} {
  const { apiKey, model, timeoutMs = TIMEOUT_MS } = options;
  const url = `${options.baseUrl.replace(/\/+$/, '')}/chat/completions`;
  return {
    name: model,
    async answer({ system, messages, schema }) {
      const body = {
        model,
        temperature: 0,
        max_tokens: MAX_TOKENS,
        messages: [
          { role: 'system', content: system },
          ...messages.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content })),
        ],
        response_format: { type: 'json_schema', json_schema: { name: 'analysis', schema, strict: true } },
      };
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
          },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(timeoutMs),
          redirect: 'error',
        });
        if (!response.ok) {
          await response.body?.cancel();
          throw new ModelUnavailable(`the model server answered ${response.status}`);
        }
        return contentOf(await textOf(response));
      } catch (error) {
        if (error instanceof ModelUnavailable) throw error;
        throw new ModelUnavailable('the model server could not be used', { cause: error });
      }
    },
  };
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MAX_BYTES) throw new ModelUnavailable('the model server answered too much');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function contentOf(text: string): string {
  const content = (JSON.parse(text) as { choices?: { message?: { content?: unknown } }[] } | null)
    ?.choices?.[0]?.message?.content;
  if (typeof content !== 'string') throw new ModelUnavailable('the model server answered without content');
  return content;
}
