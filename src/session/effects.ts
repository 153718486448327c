import type { MediaLeg } from '@callwright/rtp';
import {
  type EndReason,
  type TurnEffect,
  type TurnEvent,
  type TurnState,
  phrasesNow,
} from '@callwright/turns';
import { hasFixedWords } from './fixed-words.ts';
import type { ConversationRecord } from './conversation-record.ts';
import type { Hearing } from './hearing.ts';
import type { HiddenKeys } from './hidden-keys.ts';
import type { Player } from './player.ts';
import type { ReplySources } from './reply-sources.ts';
import type { RunningReplies } from './running-replies.ts';
import type { ToolCalls } from './tool-calls.ts';
import type { TurnMeasures } from './turn-measures.ts';

/** The parts of a session that carry out effects. */
interface EffectParts {
  readonly hearing: Pick<Hearing, 'expect' | 'agentSays'>;
  readonly replies: RunningReplies;
  readonly player: Pick<Player, 'release' | 'lower'>;
  readonly tools: ToolCalls;
  readonly record: ConversationRecord;
  readonly measures: TurnMeasures;
  readonly sources: ReplySources;
  readonly hiddenKeys: HiddenKeys;
  /** Vendor of the model. */
  readonly llm: string;
  state(): TurnState;
  readonly leg: Pick<MediaLeg, 'flush' | 'unplayedMs'>;
  /** Queues an event before those that wait. */
  first(event: TurnEvent): void;
  end(reason: EndReason, at: number): void;
}

/** Carries out the effects of the turn machine. */
export class Effects {
  readonly #parts: EffectParts;

  constructor(parts: EffectParts) {
    this.#parts = parts;
  }

  perform(effect: TurnEffect, at: number): void {
    switch (effect.type) {
      case 'expect':
        this.#parts.hearing.expect(effect.expected);
        return;
      case 'generate': {
        const turn = this.#parts.state().turns + (effect.speculative ? 1 : 0);
        this.#parts.measures.asked(effect.replyId, turn, { vendor: this.#parts.llm, model: null });
        this.#parts.replies.generate(effect.replyId, effect.history, effect.memory);
        return;
      }
      case 'cancel_reply':
        this.#parts.replies.cancel(effect.replyId);
        this.#parts.tools.cancel(effect.replyId);
        return;
      case 'speak':
        this.#parts.hearing.agentSays(effect.text);
        this.#parts.sources.spoken(
          effect.replyId,
          effect.utteranceId,
          effect.text,
          phrasesNow(this.#parts.state()),
        );
        this.#parts.replies.speak(
          effect.replyId,
          effect.utteranceId,
          effect.text,
          hasFixedWords(this.#parts.state(), effect),
        );
        return;
      case 'end_speech':
        this.#parts.replies.endSpeech(effect.replyId);
        return;
      case 'release':
        this.#parts.player.release(effect.replyId);
        return;
      case 'stop_speaking': {
        const { leg } = this.#parts;
        const unplayedMs = leg.unplayedMs?.() ?? 0;
        leg.flush?.();
        // Before any queued event: the core needs to know what the caller heard.
        const heard = this.#parts.replies.stopSpeaking(unplayedMs);
        this.#parts.first({ type: 'speaking_stopped', heard, at });
        return;
      }
      case 'lower_voice':
        this.#parts.player.lower(effect.isLow);
        return;
      case 'transcribe':
      case 'turn_latency':
      case 'interrupted':
        this.#parts.record.add(effect);
        return;
      case 'tool':
        this.#parts.tools.start(effect, at);
        return;
      case 'hidden_keys':
        this.#parts.hiddenKeys.set(effect.entry, effect.digits);
        return;
      case 'tool_over':
        this.#parts.tools.settle(effect);
        return;
      case 'hangup':
        this.#parts.end(effect.reason, at);
        return;
      default:
        effect satisfies never;
    }
  }
}
