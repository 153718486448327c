import type { HistoryItem, LlmSession, TtsSession } from '../voice/ports.ts';
import type { Heard, TurnEvent } from '../voice/turn/types.ts';
import type { Player } from './player.ts';

interface Running {
  /** Ends the model's stream. */
  readonly model: AbortController;
  /** Ends the making of sound; a reply that is stopped and resumes speaks under a new one. */
  speech: AbortController;
  readonly utterances: Set<number>;
}

/**
 * The replies being made. A cancelled one costs nothing more and its late results are never seen; one that is
 * only stopped loses its sound, and its model goes on because the interruption may prove to be none.
 */
export class RunningReplies {
  readonly #running = new Map<number, Running>();
  readonly #llm: LlmSession;
  readonly #tts: TtsSession;
  readonly #player: Player;
  readonly #now: () => number;
  readonly #dispatch: (event: TurnEvent) => void;

  constructor(
    llm: LlmSession,
    tts: TtsSession,
    player: Player,
    now: () => number,
    dispatch: (event: TurnEvent) => void,
  ) {
    this.#llm = llm;
    this.#tts = tts;
    this.#player = player;
    this.#now = now;
    this.#dispatch = dispatch;
  }

  generate(replyId: number, history: readonly HistoryItem[], memory: unknown): void {
    const { signal } = this.#open(replyId).model;
    this.#llm.reply({ history, memory, signal }, (event) => {
      if (signal.aborted) return;
      const at = this.#now();
      switch (event.type) {
        case 'delta':
          this.#dispatch({ type: 'reply_text', replyId, text: event.text, at });
          return;
        case 'tool':
          this.#dispatch({
            type: 'reply_tool',
            replyId,
            id: event.id,
            name: event.name,
            args: event.args,
            at,
          });
          return;
        case 'done':
          this.#dispatch({
            type: 'reply_done',
            replyId,
            memory: event.memory,
            expected: event.expected,
            at,
          });
          return;
        case 'failed':
          this.#dispatch({ type: 'reply_failed', replyId, retryable: event.retryable, at });
          return;
        default:
          event satisfies never;
      }
    });
  }

  speak(replyId: number, utteranceId: number, text: string): void {
    const running = this.#open(replyId);
    running.utterances.add(utteranceId);
    this.#player.add(replyId, utteranceId);
    const { signal } = running.speech;
    this.#tts.speak(text, signal, (event) => {
      if (signal.aborted) return;
      switch (event.type) {
        case 'audio':
          this.#player.push(utteranceId, event.pcm);
          return;
        case 'done':
          this.#player.complete(utteranceId);
          running.utterances.delete(utteranceId);
          return;
        case 'failed':
          this.#player.drop(utteranceId);
          running.utterances.delete(utteranceId);
          this.#dispatch({ type: 'utterance_failed', utteranceId, at: this.#now() });
          return;
        default:
          event satisfies never;
      }
    });
  }

  cancel(replyId: number): void {
    const running = this.#running.get(replyId);
    running?.model.abort();
    running?.speech.abort();
    this.#running.delete(replyId);
    this.#player.cancel(replyId);
  }

  /** Drops everything released, at once, and stops making more sound of it. */
  stopSpeaking(): Heard[] {
    for (const [replyId, running] of this.#running) {
      if (!this.#player.isReleased(replyId)) continue;
      running.speech.abort();
      running.speech = new AbortController();
      running.utterances.clear();
    }
    return this.#player.stop();
  }

  stop(): void {
    for (const running of this.#running.values()) {
      running.model.abort();
      running.speech.abort();
    }
    this.#running.clear();
  }

  #open(replyId: number): Running {
    let running = this.#running.get(replyId);
    if (running === undefined) {
      running = { model: new AbortController(), speech: new AbortController(), utterances: new Set() };
      this.#running.set(replyId, running);
      this.#forgetOld(replyId);
    }
    return running;
  }

  /** Replies long over leave the table: ids only grow, and at most two are ever alive. */
  #forgetOld(replyId: number): void {
    for (const [id, running] of this.#running) {
      if (id < replyId - 8 && running.utterances.size === 0) this.#running.delete(id);
    }
  }
}
