import { optOutSense } from '@callwright/language';
import type { EndReason, TurnEffect, TurnEvent, TurnSettings } from '@callwright/turns';
import type { BrainContext, LlmSession, ToolSpec } from '../../providers/ports/model.ts';
import type { TtsSession } from '../../providers/ports/voice.ts';
import { OptOutWatch } from '../../session/opt-out-watch.ts';
import { Player } from '../../session/player.ts';
import { ProcessorMeter } from '../../session/processor-meter.ts';
import { RunningReplies } from '../../session/running-replies.ts';
import { TurnLoop } from '../../session/turn-loop.ts';
import type { Mocks } from './mocks.ts';
import type { AgentSound, PlayedTool } from './rehearsal.ts';
import { SAMPLE_RATE, soundMs } from './virtual-voice.ts';

interface LineDeps {
  readonly settings: TurnSettings;
  readonly context: BrainContext;
  readonly llm: LlmSession;
  readonly tts: TtsSession;
  readonly mocks: Mocks;
  readonly startedAt: number;
  readonly speed: number;
  readonly now: () => number;
  readonly at: (time: number, run: () => void) => void;
  readonly onStarted: (text: string, ms: number) => void;
  readonly onEnded: (isCut: boolean) => void;
  readonly onHangup: (reason: EndReason) => void;
  readonly onFault: (error: unknown) => void;
}

const BUILT_IN: ReadonlySet<string> = new Set(['end_call', 'opt_out']);
const RECORDED = { ok: true, result: { status: 'recorded' } };

/** The agent's end of a call in rehearsal: turn machine, player and replies of a real session, in virtual time. */
export class AgentLine {
  readonly events: TurnEvent[] = [];
  readonly sounds: AgentSound[] = [];
  readonly tools: PlayedTool[] = [];
  readonly #deps: LineDeps;
  readonly #turns: TurnLoop;
  readonly #player: Player;
  readonly #replies: RunningReplies;
  readonly #specs: ReadonlyMap<string, ToolSpec>;
  readonly #texts = new Map<number, string>();
  #sounding: { readonly id: number; readonly from: number; readonly to: number } | null = null;
  #ended: number | null = null;
  /** Transfers wait for the end of the agent's words. */
  readonly #waiting: (() => void)[] = [];

  constructor(deps: LineDeps) {
    this.#deps = deps;
    const { now, context } = deps;
    this.#specs = new Map(context.tools.map((tool) => [tool.name, tool]));
    const optOut = new OptOutWatch(optOutSense(context), (at) => this.#optOut({}, at));
    this.#turns = new TurnLoop(
      deps.settings,
      {
        perform: (effect, at) => this.#perform(effect, at),
        watch: (event, before, state, effects) => {
          this.events.push(event);
          optOut.follow(before, { state, effects }, event.at);
        },
        onFault: (error) => deps.onFault(error),
      },
      new ProcessorMeter(),
    );
    this.#player = new Player(SAMPLE_RATE, {
      onStarted: (id, at) => this.#started(id, at),
      onEnded: (id) => {
        this.#ended = id;
      },
    });
    this.#replies = new RunningReplies(deps.llm, deps.tts, this.#player, now, (event) => this.feed(event));
  }

  /** When the turn machine wants to wake; Infinity: never. */
  get wakeAt(): number {
    return this.#turns.state.wakeAt ?? Number.POSITIVE_INFINITY;
  }

  feed(event: TurnEvent): void {
    this.#turns.dispatch(event);
  }

  /** Plays until `until` or the end of the sentence; returns the time, or null when there is nothing to play. */
  play(until: number): number | null {
    const from = this.#deps.now();
    if (until <= from) return null;
    const to = this.#sounding === null ? from + 1 : Math.max(from + 1, Math.min(until, this.#sounding.to));
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a player, not an array
    return this.#player.fill(new Int16Array(to - from), from) ? to : null;
  }

  /** After the clock has reached the time that `play` returned. */
  played(): void {
    const id = this.#ended;
    if (id === null) return;
    this.#ended = null;
    const at = this.#deps.now();
    this.#note(false);
    this.feed({ type: 'utterance_ended', utteranceId: id, at });
    this.#deps.onEnded(false);
    if (!this.#player.isBusy) for (const run of this.#waiting.splice(0)) run();
  }

  stop(): void {
    this.#note(true);
    this.#replies.stop();
  }

  #started(id: number, at: number): void {
    const text = this.#texts.get(id) ?? '';
    const ms = soundMs(text, this.#deps.speed);
    this.#sounding = { id, from: at, to: at + ms };
    this.feed({ type: 'utterance_started', utteranceId: id, at });
    this.#deps.onStarted(text, ms);
  }

  #note(cut: boolean): void {
    const sound = this.#sounding;
    if (sound === null) return;
    this.#sounding = null;
    const { startedAt, now } = this.#deps;
    this.sounds.push({
      text: this.#texts.get(sound.id) ?? '',
      from: sound.from - startedAt,
      to: now() - startedAt,
      cut,
    });
  }

  #perform(effect: TurnEffect, at: number): void {
    switch (effect.type) {
      case 'generate':
        return this.#replies.generate(effect.replyId, effect.history, effect.memory);
      case 'speak':
        this.#texts.set(effect.utteranceId, effect.text);
        return this.#replies.speak(effect.replyId, effect.utteranceId, effect.text);
      case 'end_speech':
        return this.#replies.endSpeech(effect.replyId);
      case 'release':
        return this.#player.release(effect.replyId);
      case 'cancel_reply':
        return this.#replies.cancel(effect.replyId);
      case 'lower_voice':
        return this.#player.lower(effect.isLow);
      case 'stop_speaking': {
        const heard = this.#replies.stopSpeaking();
        const wasSounding = this.#sounding !== null;
        this.#note(true);
        this.#turns.insert({ type: 'speaking_stopped', heard, at });
        if (wasSounding) this.#deps.onEnded(true);
        return undefined;
      }
      case 'tool':
        return this.#tool(effect, at);
      case 'hangup':
        return this.#deps.onHangup(effect.reason);
      case 'expect':
      case 'transcribe':
      case 'tool_over':
      case 'hidden_keys':
      case 'turn_latency':
      case 'interrupted':
        return undefined;
      default:
        return effect satisfies never;
    }
  }

  #tool({ replyId, id, name, args }: Extract<TurnEffect, { type: 'tool' }>, at: number): void {
    if (name === 'opt_out') return this.#optOut(args, at);
    if (BUILT_IN.has(name)) return this.#record(name, args, { ...RECORDED, ms: 0 }, at);
    const { mocks, now } = this.#deps;
    const run = (): void => {
      const answer = mocks.answer(name, args);
      const { ok, result, variables } = answer;
      this.#record(name, args, answer, at);
      this.#deps.at(now() + answer.ms, () => {
        const set = variables === undefined ? {} : { variables };
        this.feed({ type: 'tool_result', replyId, id, name, result, ...set, at: now() });
        if (ok && this.#specs.get(name)?.kind === 'transfer') this.#deps.onHangup('CALL_TRANSFERRED');
      });
    };
    const kind = this.#specs.get(name)?.kind;
    // The conversation collects keys itself; a caller in rehearsal presses none.
    if (kind === 'wait_for_keys') return undefined;
    if (kind === 'transfer' && this.#player.isBusy) this.#waiting.push(run);
    else run();
    return undefined;
  }

  /** The model and the watch may both detect the same request. */
  #optOut(args: Record<string, unknown>, at: number): void {
    if (this.tools.some(({ name }) => name === 'opt_out')) return;
    this.#record('opt_out', args, { ...RECORDED, ms: 0 }, at);
  }

  #record(
    name: string,
    args: Record<string, unknown>,
    { ok, result, ms }: { readonly ok: boolean; readonly result: unknown; readonly ms: number },
    at: number,
  ): void {
    this.tools.push({ name, args, result, ok, ms, at: at - this.#deps.startedAt });
  }
}
