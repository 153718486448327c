/**
 * What a person of the workspace does to a live call. `whisper`: a note to the agent. `say`: a sentence in the agent's voice.
 * `take_over`: the agent falls silent. `hand_back`: it has the call again. `by`: who.
 */
export type CallOrder =
  | { readonly operation: 'whisper' | 'say'; readonly text: string; readonly by: string }
  | { readonly operation: 'take_over' | 'hand_back'; readonly by: string };
