/** Who gave a line of the agent. */
export interface LineSource {
  /** `apology`: no model answered, so the agent said a fixed sentence. Null: no engine was asked, as for a fixed first message. */
  readonly engine: 'model' | 'script' | 'apology' | null;
  /** Of the model; null: another engine. */
  readonly vendor: string | null;
  readonly model: string | null;
  /** Another engine than the first of the agent's models replied, because that one failed. */
  readonly isFallback: boolean;
  /** The agent that took the call over and spoke; absent: the first one of the call. */
  readonly agent?: { readonly id: string; readonly name: string };
}
