/**
 * What a person of the workspace does in the conversation of a live call. `whisper`: a note to the agent. `say`: a sentence in
 * the agent's voice. `note`: a note of the service itself. `take_over`: the agent falls silent. `hand_back`: it has the call again. `announce`: the caller
 * hears `text` because `by` listens. `by`: who. `announcement`: what the caller hears before the person.
 */
export type ConversationOrder =
  | {
      readonly operation: 'whisper' | 'say' | 'note' | 'announce';
      readonly text: string;
      readonly by: string;
    }
  | { readonly operation: 'take_over'; readonly by: string; readonly announcement?: string }
  | { readonly operation: 'hand_back'; readonly by: string };

/** `transfer`: the caller is connected to `to`, a number in E.164 form or a SIP address; `text` is the briefing. */
export interface TransferOrder {
  readonly operation: 'transfer';
  readonly to: string;
  readonly mode: 'warm' | 'cold' | 'auto';
  readonly text?: string;
  readonly by: string;
}

/** `invite`: `to` is called and joins caller and agent under `name`, after they have heard `text`. */
export interface InviteOrder {
  readonly operation: 'invite';
  readonly to: string;
  readonly name: string;
  readonly text?: string;
  readonly by: string;
}

/** The guest leaves the call, or is not called any more. */
interface RemoveOrder {
  readonly operation: 'remove';
  readonly by: string;
}

/** `hold`: the far side waits with music, and neither hears the agent nor is heard. `resume`: it is back. */
type HoldOrder =
  | { readonly operation: 'hold'; readonly by: string }
  | { readonly operation: 'resume'; readonly by: string };

export type CallOrder = ConversationOrder | TransferOrder | InviteOrder | RemoveOrder | HoldOrder;
