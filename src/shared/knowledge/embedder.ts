/** Embeds texts as unit vectors: texts with similar meaning have nearby vectors. */
export interface Embedder {
  /** Model and vector length; only vectors with the same name are compared. */
  readonly name: string;
  /** One vector per text, in order. Rejects with EmbeddingsFailed. */
  embed(
    texts: readonly string[],
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Float32Array[]>;
}

/** An embedding request failed. The message omits the server's text, which may quote documents or keys. */
export class EmbeddingsFailed extends Error {
  override readonly name = 'EmbeddingsFailed';
}
