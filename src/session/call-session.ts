import type { DtmfDigit, LlmSession, MediaLeg, MediaSink, TtsSession } from '../voice/ports.ts';
import { KnowledgeIndexes, type KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import { initialState, step, type TurnState } from '../voice/turn/machine.ts';
import type { EndReason, TurnEffect, TurnEvent } from '../voice/turn/types.ts';
import { render } from '../voice/prompt/render.ts';
import type { CallResult, CallSpec, ToolAnswer } from '../workers/protocol.ts';
import { Background } from './background.ts';
import { Bridge } from './bridge.ts';
import { Hearing } from './hearing.ts';
import { OptOutWatch } from './opt-out-watch.ts';
import { Player } from './player.ts';
import { RunningReplies } from './running-replies.ts';
import { lookUp } from './lookup-knowledge.ts';
import type { SessionDeps } from './session-deps.ts';
import { answerSettings, brainContext, conversationSettings } from './settings.ts';
import { TalkRecord } from './talk-record.ts';
import { ToolUses } from './tool-use.ts';

/** Without a frame for so long, the far side has stopped sending. */
const GAP_MS = 60;
/** The far side plays our last words this much later than we send them: BYE waits for its ears. */
const TAIL_MS = 160;

/**
 * The shell around the conversation core: turns frames and provider results into events, and effects into
 * deeds. Everything runs on one thread; an event that arises while another is handled waits its turn.
 */
export class CallSession implements MediaSink {
  readonly #deps: SessionDeps;
  readonly #player: Player;
  readonly #hearing: Hearing;
  readonly #tts: TtsSession;
  readonly #llm: LlmSession;
  readonly #replies: RunningReplies;
  readonly #queue: TurnEvent[] = [];
  #state: TurnState;
  #handling = false;
  #reason: EndReason | null = null;
  #startedAt = 0;
  #lastAudioAt = 0;
  #finished = false;
  #held = false;
  /** The person the caller is being handed to. */
  #bridge: Bridge | null = null;
  /** The caller talks to that person, and the conversation is out. */
  #handedOver = false;
  #tail: NodeJS.Timeout | null = null;
  #endedAt = 0;
  readonly #record: TalkRecord;
  readonly #tools: ToolUses;
  readonly #optOut: OptOutWatch;
  readonly #knowledge: readonly KnowledgeItem[];
  readonly #spec: CallSpec;
  #wasSounding = false;
  #hasLeft = false;
  /** What is heard under the agent's voice; null: nothing. */
  readonly #background: Background | null;

  constructor(spec: CallSpec, deps: SessionDeps) {
    this.#deps = deps;
    this.#record = new TalkRecord(deps);
    this.#knowledge = spec.knowledge ?? [];
    this.#spec = spec;
    const { agent } = spec;
    const rate = deps.leg.sampleRate;
    const { backgroundVolume } = agent;
    this.#background = backgroundVolume === undefined ? null : new Background(rate, backgroundVolume);
    const context = brainContext(spec, deps.providers.stt.understands(agent.language));
    this.#llm = deps.providers.llm.open(context);
    this.#state = initialState(conversationSettings(spec, context, this.#llm.expectsFirst));
    this.#player = new Player(rate, {
      onStarted: (utteranceId, at) => this.#onUtteranceStarted(utteranceId, at),
      onEnded: (utteranceId, at) => this.#dispatch({ type: 'utterance_ended', utteranceId, at }),
    });
    this.#hearing = new Hearing(spec, {
      providers: deps.providers,
      sampleRate: rate,
      noiseFilter: deps.noiseFilter,
      onLive: (event) => deps.onLive(event),
      dispatch: (event) => this.#dispatch(event),
    });
    this.#tts = deps.providers.tts.open({
      voiceKey: agent.voiceKey,
      language: agent.language,
      speed: agent.voiceSpeed,
      sampleRate: rate,
    });
    this.#replies = new RunningReplies(this.#llm, this.#tts, this.#player, deps.now, (event) =>
      this.#dispatch(event),
    );
    this.#tools = new ToolUses(context.tools, spec.toolLog ?? [], {
      now: deps.now,
      isSpeaking: () => this.#player.isBusy,
      lookUp: (args) => this.#lookUp(args),
      sendKeys: (digits) => deps.leg.sendDtmf(digits),
      onOptOut: () => deps.onOptOut(),
      onTool: (request) => deps.onTool(request),
      answer: (event) => this.#dispatch(event),
      end: (reason) => this.requestEnd(reason, null),
    });
    this.#optOut = new OptOutWatch(deps.optOutSense(context), (at) => this.#tools.optOut({}, at));
  }

  /** Media is up on an answered call: from here on frames come and go. `at` is the answer, epoch ms. */
  start(at: number): void {
    this.#startedAt = at;
    this.#deps.recorder?.start(at);
    const answer = answerSettings(this.#spec, this.#llm.introduces);
    if (answer !== null) this.#hearing.listenForMachines(answer, at);
    this.#dispatch({ type: 'answered', at });
    this.#deps.leg.start(this);
  }

  onAudio(pcm: Int16Array, timestamp: number, _concealed: boolean, at: number): void {
    if (this.#reason !== null) return;
    this.#lastAudioAt = at;
    this.#deps.recorder?.caller(pcm, timestamp);
    if (this.#handedOver) return this.#bridge?.hear(pcm);
    if (this.#held) return;
    this.#guarded(at, () => this.#hearing.audio(pcm, at));
  }

  fill(out: Int16Array, at: number): boolean {
    let sounding = false;
    this.#guarded(at, () => {
      if (this.#state.wakeAt !== null && this.#state.wakeAt <= at) this.#dispatch({ type: 'wake', at });
      if (this.#handedOver) {
        sounding = this.#reason === null && this.#bridge?.take(out) === true;
        return;
      }
      if (at - this.#lastAudioAt > GAP_MS) this.#hearing.nothing(at);
      sounding = this.#reason === null && this.#player.fill(out, at);
      if (!sounding) this.#tools.begin();
      this.#hearing.tick(at, this.#wasSounding && !sounding && !this.#player.isBusy);
      this.#wasSounding = sounding;
    });
    if (this.#background !== null && !this.#held && !this.#handedOver) {
      this.#background.mix(out, sounding);
      sounding = true;
    }
    this.#deps.recorder?.agent(sounding ? out : null, out.length, at);
    return sounding;
  }

  onDtmf(digit: DtmfDigit, at: number): void {
    this.#deps.onLive({ type: 'dtmf', digit, at });
    if (this.#handedOver) return this.#bridge?.press(digit);
    this.#dispatch({ type: 'dtmf', digit, at });
  }

  onMediaTimeout(at: number): void {
    this.#dispatch({ type: 'media_timeout', at });
  }

  /** The far side put the call on hold, or took it back. */
  hold(held: boolean, at: number): void {
    if (held === this.#held) return;
    this.#held = held;
    if (!this.#handedOver) this.#suspend(held, at);
  }

  /** Somebody is called whom the caller may be handed to; they hear `briefing` first. */
  openBridge(leg: MediaLeg, briefing: string): void {
    const learnt = this.#tools.log.map((use) => use.variables ?? {});
    const values: Record<string, string> = Object.assign({}, this.#spec.variables, ...learnt);
    this.#bridge = new Bridge({
      leg,
      tts: this.#tts,
      briefing: render(briefing, values).text.trim(),
      isSpeaking: () => this.#player.isBusy,
      onKey: (digit) => this.#deps.leg.sendDtmf([digit]),
      onConnected: (at) => this.#guarded(at, () => this.#handOver(at)),
      onLost: (at) => this.#deps.onBridge({ type: 'lost', at }),
    });
  }

  bridgeAnswered(at: number): void {
    if (this.#reason === null) this.#bridge?.answered(at);
  }

  /** Whoever was called is gone; where the call goes on, so does the agent. */
  closeBridge(): void {
    this.#record.bridged(this.#bridge?.close());
    this.#bridge = null;
    if (!this.#handedOver || this.#reason !== null) return;
    this.#handedOver = false;
    const at = this.#deps.now();
    if (!this.#held) this.#guarded(at, () => this.#suspend(false, at));
  }

  /** The far side hung up. */
  remoteHangup(at: number): void {
    this.#hasLeft = true;
    this.#dispatch({ type: 'remote_hangup', at });
    this.#end(this.#hearing.leftAs(), at);
  }

  /** Someone with the right to do so wants the call ended, saying `say` first when given. */
  requestEnd(reason: EndReason, say: string | null): void {
    this.#dispatch({ type: 'end_requested', reason, say, at: this.#deps.now() });
  }

  /** A tool that works elsewhere has answered. */
  toolResult(requestId: number, outcome: ToolAnswer): void {
    this.#guarded(this.#deps.now(), () => this.#tools.answered(requestId, outcome));
  }

  /** Frees everything and returns what the call leaves behind. Call once, after the end. */
  async finish(): Promise<CallResult> {
    this.#finished = true;
    if (this.#tail !== null) clearTimeout(this.#tail);
    this.#end('FAILED', this.#deps.now());
    this.#tools.finish();
    this.#record.bridged(this.#bridge?.close());
    this.#hearing.close();
    this.#tts.close();
    this.#llm.close();
    const [media, recording] = [this.#deps.leg.stats(), (await this.#deps.recorder?.close()) ?? null];
    return {
      reason: this.#reason ?? 'FAILED',
      ...this.#record.whole(this.#tools.log),
      optedOut: this.#reason === 'OPTED_OUT' || this.#tools.hasOptedOut,
      callback: null,
      recording,
      media,
      transfers: this.#record.transfers,
      startedAt: this.#startedAt,
      endedAt: this.#endedAt,
    };
  }

  /** From here on the conversation only knows when the call must end. */
  #handOver(at: number): void {
    if (this.#reason !== null) return;
    this.#handedOver = true;
    this.#deps.onLive({ type: 'notice', code: 'TRANSFERRED', message: 'the caller is connected' });
    this.#deps.onBridge({ type: 'connected', at });
    if (!this.#held) this.#suspend(true, at);
  }

  #suspend(held: boolean, at: number): void {
    this.#hearing.reset();
    this.#dispatch({ type: held ? 'held' : 'resumed', at });
  }

  /** A fault in one conversation ends that call; the thread and its other calls go on. */
  #guarded(at: number, run: () => void): void {
    try {
      run();
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#deps.onLive({ type: 'notice', code: 'CONVERSATION_FAILED', message });
      this.#end('FAILED', at);
    }
  }

  #dispatch(event: TurnEvent): void {
    this.#queue.push(event);
    if (this.#handling) return;
    this.#handling = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        const { state, effects } = step(this.#state, next);
        this.#optOut.follow(this.#state, { state, effects }, next.at);
        this.#state = state;
        for (const effect of effects) this.#perform(effect, next.at);
      }
    } finally {
      this.#handling = false;
    }
    this.#record.tell(this.#tools.log);
  }

  #perform(effect: TurnEffect, at: number): void {
    switch (effect.type) {
      case 'expect':
        this.#hearing.expect(effect.expected);
        return;
      case 'generate':
        this.#replies.generate(effect.replyId, effect.history, effect.memory);
        return;
      case 'cancel_reply':
        this.#replies.cancel(effect.replyId);
        this.#tools.cancel(effect.replyId);
        return;
      case 'speak':
        this.#replies.speak(effect.replyId, effect.utteranceId, effect.text);
        return;
      case 'release':
        this.#player.release(effect.replyId);
        return;
      case 'stop_speaking':
        // The core must know what was heard before anything else happens.
        this.#queue.unshift({ type: 'speaking_stopped', heard: this.#replies.stopSpeaking(), at });
        return;
      case 'transcribe':
      case 'turn_latency':
      case 'interrupted':
        this.#record.note(effect);
        return;
      case 'tool':
        this.#tools.run(effect, at);
        return;
      case 'tool_over':
        this.#tools.over(effect);
        return;
      case 'hangup':
        this.#end(effect.reason, at);
        return;
      default:
        effect satisfies never;
    }
  }

  #lookUp(args: Record<string, unknown>): unknown {
    const indexes = this.#deps.indexes ?? new KnowledgeIndexes();
    return lookUp(indexes.of(this.#knowledge), this.#knowledge, args);
  }

  #onUtteranceStarted(utteranceId: number, at: number): void {
    this.#record.sounded(at - this.#startedAt);
    this.#dispatch({ type: 'utterance_started', utteranceId, at });
  }

  #end(reason: EndReason, at: number): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#endedAt = at;
    this.#replies.stop();
    const hearsUs = !this.#hasLeft && reason !== 'MEDIA_TIMEOUT';
    if (!hearsUs || this.#finished) this.#deps.onHangup(reason);
    else this.#tail = setTimeout(() => this.#deps.onHangup(reason), TAIL_MS);
  }
}
