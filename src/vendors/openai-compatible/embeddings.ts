import { EmbeddingsFailed, type Embedder } from '../../shared/knowledge/embedder.ts';
import { unitVector } from '../../shared/knowledge/vectors.ts';
import { trimEndOf } from '../../shared/trim.ts';

export interface EmbeddingsOptions {
  /** Up to and including the version, e.g. `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
  /** Requested vector length; null: the model's default. */
  readonly dimensions: number | null;
}

/** Response size limit: 64 vectors of 4096 numbers are below 8 MB of JSON. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_DIMENSIONS = 4096;

/** An embedder over any server with the OpenAI embeddings protocol, bounded in time and size. */
export function createEmbedder(options: EmbeddingsOptions): Embedder {
  const { apiKey, model, dimensions } = options;
  const url = `${trimEndOf(options.baseUrl, '/')}/embeddings`;
  return {
    name: dimensions === null ? model : `${model}@${dimensions}`,
    async embed(texts, { timeoutMs, signal }) {
      if (texts.length === 0) return [];
      const late = AbortSignal.timeout(timeoutMs);
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
          },
          body: JSON.stringify({
            model,
            input: texts,
            encoding_format: 'float',
            ...(dimensions === null ? {} : { dimensions }),
          }),
          signal: signal === undefined ? late : AbortSignal.any([signal, late]),
          redirect: 'error',
        });
        if (!response.ok) {
          await response.body?.cancel();
          throw new EmbeddingsFailed(`the embeddings server answered ${response.status}`);
        }
        return vectorsOf(await textOf(response), texts.length, dimensions);
      } catch (error) {
        if (error instanceof EmbeddingsFailed) throw error;
        const isLate = late.aborted;
        throw new EmbeddingsFailed(
          isLate ? 'the embeddings server timed out' : 'the request to the embeddings server failed',
          { cause: error },
        );
      }
    },
  };
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MAX_BYTES) throw new EmbeddingsFailed('the response of the embeddings server is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Servers may return vectors out of order; `index` names the text. */
function vectorsOf(text: string, count: number, dimensions: number | null): Float32Array[] {
  const data = (JSON.parse(text) as { data?: unknown } | null)?.data;
  if (!Array.isArray(data) || data.length !== count) {
    throw new EmbeddingsFailed('the embeddings server did not return one vector per text');
  }
  const vectors = Array.from<Float32Array | undefined>({ length: count });
  for (const [at, entry] of (data as { index?: unknown; embedding?: unknown }[]).entries()) {
    const place = typeof entry?.index === 'number' ? entry.index : at;
    if (place in vectors && vectors[place] === undefined)
      vectors[place] = vectorOf(entry?.embedding) ?? undefined;
  }
  const length = dimensions ?? vectors[0]?.length;
  return vectors.map((vector) => {
    if (vector === undefined) throw new EmbeddingsFailed('the embeddings server returned an invalid vector');
    if (vector.length !== length) {
      throw new EmbeddingsFailed(`the embeddings server returned a vector of length ${vector.length}`);
    }
    return vector;
  });
}

function vectorOf(value: unknown): Float32Array | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_DIMENSIONS) return null;
  return value.every((number): number is number => typeof number === 'number') ? unitVector(value) : null;
}
