/** Turns texts into vectors of unit length, which are near each other where the meanings are. */
export interface Embedder {
  /** The model with the length asked of it: vectors of different names are never compared. */
  readonly name: string;
  /** One vector a text, in order. Rejects with EmbeddingsFailed. */
  embed(
    texts: readonly string[],
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Float32Array[]>;
}

/** No vectors came; the message holds nothing of the server's text, which may quote documents or keys. */
export class EmbeddingsFailed extends Error {
  override readonly name = 'EmbeddingsFailed';
}
