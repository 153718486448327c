import { failureReason, type ConversationFailure, type FailureReason } from '../shared/failure-reason.ts';
import type { TurnEvent, TurnState } from '@callwright/turns';

const CODES = { llm: 'MODEL_FAILED', tts: 'VOICE_FAILED' } as const;

/** Tracks the cause of a failed conversation for its record. */
export class FailureWatch {
  /** The last fault that no reply has followed. */
  #fault: FailureReason | null = null;
  /** The cause of the agent's last apology or technical goodbye. */
  #reason: FailureReason | null = null;

  /** Model or voice produced nothing for a reply. */
  failed(part: keyof typeof CODES, message: string): void {
    this.#fault = failureReason(CODES[part], message);
  }

  /** Follows one step of the turn machine. */
  follow(before: TurnState, after: TurnState, event: TurnEvent): void {
    if (after.failures > before.failures) {
      this.#reason =
        event.type === 'stt_failed'
          ? failureReason('RECOGNISER_FAILED')
          : (this.#fault ?? failureReason('REPLY_FAILED'));
    }
    if (event.type === 'utterance_started') this.#fault = null;
  }

  /** Another cause than a reply ended the conversation. */
  ended(code: ConversationFailure): void {
    this.#reason = failureReason(code);
  }

  /** Why the conversation failed. */
  get reason(): FailureReason {
    return this.#reason ?? failureReason('CONVERSATION_CUT');
  }
}
