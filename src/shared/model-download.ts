/** A download of a model in the background. */
export interface ModelDownload {
  /** `waiting`: another one runs first. */
  readonly state: 'waiting' | 'running' | 'failed';
  /** The file that is fetched, and from where; null: none yet. */
  readonly file: string | null;
  readonly source: string | null;
  /** Bytes of the model that are complete, of all. */
  readonly doneBytes: number;
  readonly totalBytes: number;
  /** What happened, and what to do; null: it has not failed. */
  readonly failure: { readonly message: string; readonly advice: string } | null;
}
