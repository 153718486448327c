import type { DtmfDigit } from '@callwright/audio';
import {
  type Ears,
  type EndReason,
  type TurnEffect,
  type TurnEvent,
  type TurnState,
  expectsHiddenKeys,
  hearsOf,
  hidesKeys,
  initialState,
  phrasesNow,
  step,
} from '@callwright/turns';
import type { LlmSession } from '../providers/ports/model.ts';
import type { MediaLeg, MediaSink } from '@callwright/rtp';
import type { TtsSession } from '../providers/ports/voice.ts';
import { speakable } from '../voice/prompt/leave-out.ts';
import type { CallSpec, ToolAnswer } from '../workers/protocol.ts';
import type { ConversationResult } from '../voice/conversation.ts';
import { Background } from './background.ts';
import { EventLogWriter } from './event-log-writer.ts';
import { FailureWatch } from './failure-watch.ts';
import { guardedSink } from './guarded-sink.ts';
import { Hearing } from './hearing.ts';
import { HiddenKeys } from './hidden-keys.ts';
import { OptOutWatch } from './opt-out-watch.ts';
import { Player } from './player.ts';
import { RecordingPauses } from './recording-pauses.ts';
import { replyMeter } from './reply-meter.ts';
import { ReplySources } from './reply-sources.ts';
import { RunningReplies } from './running-replies.ts';
import { hasFixedWords } from './fixed-words.ts';
import { lookUpIn } from './lookup-knowledge.ts';
import { inSpokenForms } from './spoken-forms.ts';
import type { SessionDeps } from './session-deps.ts';
import { answerSettings, conversationSettings, talkOf } from './settings.ts';
import { ConversationRecord } from './conversation-record.ts';
import { ToolCalls } from './tool-calls.ts';
import { TransferLeg } from './transfer-leg.ts';
import { TurnMeasures } from './turn-measures.ts';

/** After this long without a frame the far side is treated as silent; packets that are less late belong to its words. */
const GAP_MS = 120;
/** After this long without a step the thread was stalled: packets that came meanwhile are read after the step. */
const STALL_MS = 40;
/** Delay from our last frame to its playout at the far side: BYE is held back until then. */
const TAIL_MS = 160;

/**
 * The imperative shell of the conversation core: turns frames and provider results into events, and carries out effects.
 * Runs on one thread; an event raised while another is handled is queued.
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
  #lastFillAt = 0;
  #stalledAt = 0;
  #finished = false;
  #held = false;
  readonly #transfer: TransferLeg;
  #cancelHangup: (() => void) | null = null;
  #endedAt = 0;
  readonly #record: ConversationRecord;
  readonly #measures: TurnMeasures;
  readonly #sources = new ReplySources();
  readonly #eventLog: EventLogWriter;
  readonly #tools: ToolCalls;
  readonly #optOut: OptOutWatch;
  readonly #failure = new FailureWatch();
  readonly #hiddenKeys = new HiddenKeys();
  readonly #pauses: RecordingPauses;
  readonly #spec: CallSpec;
  #wasSounding = false;
  #hasLeft = false;
  /** Ambience under the agent's voice; null: none. */
  readonly #background: Background | null;

  constructor(spec: CallSpec, deps: SessionDeps) {
    this.#deps = deps;
    this.#measures = new TurnMeasures({ vendor: deps.providers.tts.name, model: null });
    this.#record = new ConversationRecord(deps, this.#measures, this.#sources, () => this.#hearing.usage());
    this.#pauses = new RecordingPauses(deps.recorder, deps.listeners);
    this.#spec = spec;
    const { agent } = spec;
    const rate = deps.leg.sampleRate;
    const { backgroundVolume } = agent;
    this.#background = backgroundVolume === undefined ? null : new Background(rate, backgroundVolume);
    const { context, voice } = talkOf(spec, deps.providers.stt, rate);
    this.#llm = deps.providers.llm.open(context);
    this.#state = initialState(conversationSettings(spec, context, this.#llm));
    this.#eventLog = new EventLogWriter(this.#state.settings, context.tools);
    this.#player = new Player(rate, {
      onStarted: (utteranceId, at) => this.#onUtteranceStarted(utteranceId, at),
      onEnded: (utteranceId, at) => this.#dispatch({ type: 'utterance_ended', utteranceId, at }),
    });
    this.#hearing = new Hearing(spec, {
      providers: deps.providers,
      sampleRate: rate,
      noiseFilter: deps.noiseFilter,
      press: (digits) => deps.leg.sendDtmf(digits.split('') as DtmfDigit[]),
      onAnswered: (answered) => this.#record.answeredBy(answered),
      onWords: (text, isFinal) => deps.onWords?.(text, isFinal),
      onVendor: (news) => this.#record.vendor('stt', news, deps.scheduler.now()),
      onEars: (ears, at) => this.#changeEars(ears, at),
      onFault: (error, at) => this.#fail(error, at),
      dispatch: (event) => this.#dispatch(event),
    });
    const speaker = deps.providers.tts.open(voice);
    this.#tts = inSpokenForms(speaker, agent);
    this.#replies = new RunningReplies(
      this.#llm,
      this.#tts,
      this.#player,
      () => deps.scheduler.now(),
      (event) => this.#dispatch(event),
      replyMeter({
        llm: deps.providers.llm,
        measures: this.#measures,
        sources: this.#sources,
        record: this.#record,
        failure: this.#failure,
        now: () => deps.scheduler.now(),
      }),
    );
    this.#transfer = new TransferLeg({
      spec,
      session: deps,
      tts: this.#tts,
      isSpeaking: () => this.#player.isBusy,
      guarded: (sink) => this.#guardedSink(sink),
      onFault: (error, at) => this.#fail(error, at),
      onConnected: (at) => this.#handOver(at),
    });
    this.#tools = new ToolCalls(context.tools, spec.toolLog ?? [], this.#hiddenKeys, {
      now: () => deps.scheduler.now(),
      isSpeaking: () => this.#player.isBusy,
      lookUp: lookUpIn(spec.knowledge ?? [], deps.indexes),
      sendKeys: (digits) => deps.leg.sendDtmf(digits),
      onOptOut: () => deps.onOptOut(),
      pauseRecording: (isPaused) => {
        this.#pauses.ask(isPaused, deps.scheduler.now());
        return this.#pauses.isRecording;
      },
      onTool: (request) => deps.onTool(request),
      answer: (event) => this.#dispatch(event),
      end: (reason) => this.requestEnd(reason, null),
    });
    this.#optOut = new OptOutWatch(deps.optOutSense(context), (at) => this.#tools.optOut({}, at));
  }

  /** Model and turn machine learn what can be recognised of the caller from now on. */
  #changeEars(ears: Ears, at: number): void {
    const hears = hearsOf(ears);
    if (hears === (this.#state.settings.hears ?? null)) return;
    this.#llm.hears?.(ears);
    this.#dispatch({ type: 'ears_changed', hears, at });
  }

  /** Starts the conversation and its media. `at`: the answer, epoch ms. */
  start(at: number): void {
    this.#startedAt = at;
    this.#deps.recorder?.start(at);
    this.#pauses.start(at);
    const answer = answerSettings(this.#spec, this.#llm.introduces);
    if (answer !== null) this.#hearing.detectMachines(answer, at);
    this.#record.replacedVoice(this.#spec.agent.replacedVoice, at);
    this.#dispatch({ type: 'answered', at });
    this.#deps.leg.start(this.#guardedSink(this));
  }

  onAudio(pcm: Int16Array, timestamp: number, _concealed: boolean, at: number): void {
    if (this.#reason !== null) return;
    this.#lastAudioAt = at;
    this.#deps.recorder?.caller(pcm, timestamp);
    this.#deps.listeners?.caller(pcm);
    if (this.#transfer.isConnected) return this.#transfer.hear(pcm);
    if (!this.#held) this.#hearing.audio(pcm, at);
    return undefined;
  }

  fill(out: Int16Array, at: number): boolean {
    let sounding = this.#voice(out, at);
    if (this.#background !== null && !this.#held && !this.#transfer.isConnected) {
      this.#background.mix(out, sounding);
      sounding = true;
    }
    this.#deps.recorder?.agent(sounding ? out : null, out.length, at);
    this.#deps.listeners?.agent(sounding ? out : null, out.length);
    return sounding;
  }

  /** The agent's or the transfer target's next 20 ms; false: silence. */
  #voice(out: Int16Array, at: number): boolean {
    if (at - this.#lastFillAt > STALL_MS) this.#stalledAt = at;
    this.#lastFillAt = at;
    if (this.#state.wakeAt !== null && this.#state.wakeAt <= at) this.#dispatch({ type: 'wake', at });
    // Also while the agent does not listen: a recogniser without audio closes its connection.
    const isDeaf = this.#held || this.#transfer.isConnected;
    if (isDeaf || at - Math.max(this.#lastAudioAt, this.#stalledAt) > GAP_MS) this.#hearing.silence(at);
    if (this.#transfer.isConnected) return this.#reason === null && this.#transfer.take(out);
    const sounding = this.#reason === null && this.#player.fill(out, at);
    this.#hearing.sent(sounding ? out : null);
    if (!sounding) this.#tools.begin();
    this.#hearing.tick(at, this.#wasSounding && !sounding && !this.#player.isBusy);
    this.#wasSounding = sounding;
    return sounding;
  }

  onDtmf(digit: DtmfDigit, at: number): void {
    if (this.#transfer.isConnected || !hidesKeys(this.#state, at))
      this.#deps.onLive({ type: 'dtmf', digit, at });
    if (this.#transfer.isConnected) return this.#transfer.press(digit);
    this.#dispatch({ type: 'dtmf', digit, at });
  }

  onText(text: string, at: number): void {
    if (!this.#transfer.isConnected) this.#dispatch({ type: 'typed', text, at });
  }

  onMediaTimeout(at: number): void {
    this.#dispatch({ type: 'media_timeout', at });
  }

  /** The far side put the call on hold, or resumed it. */
  hold(held: boolean, at: number): void {
    if (held === this.#held) return;
    this.#held = held;
    this.#guarded(at, () => {
      if (!held) this.#hearing.listenAgain(at);
      if (!this.#transfer.isConnected) this.#suspend(held, at);
    });
  }

  /** Opens the transfer leg; its callee hears `briefing` before the caller is connected. */
  openBridge(leg: MediaLeg, briefing: string): void {
    const set = this.#tools.log.map((entry) => entry.variables ?? {});
    const values: Record<string, string> = Object.assign({}, this.#spec.variables, ...set);
    this.#transfer.open(leg, speakable(briefing, values, this.#spec.agent.language).trim());
  }

  bridgeAnswered(at: number): void {
    if (this.#reason === null) this.#guarded(at, () => this.#transfer.answered(at));
  }

  /** The transfer leg is over; the agent resumes when the call goes on. */
  closeBridge(): void {
    const at = this.#deps.scheduler.now();
    const wasConnected = this.#transfer.isConnected;
    this.#guarded(at, () => {
      this.#record.bridged(this.#transfer.close());
      if (wasConnected && this.#reason === null && !this.#held) this.#suspend(false, at);
    });
  }

  /** The far side hung up. */
  remoteHangup(at: number): void {
    this.#hasLeft = true;
    this.#dispatch({ type: 'remote_hangup', at });
    this.#end(this.#hearing.leftAs(), at);
  }

  /** Ends the call on request of the API or the service, after speaking `say` when given. */
  requestEnd(reason: EndReason, say: string | null): void {
    this.#dispatch({ type: 'end_requested', reason, say, at: this.#deps.scheduler.now() });
  }

  /** The main thread's answer to a tool request. */
  toolResult(requestId: number, outcome: ToolAnswer): void {
    this.#guarded(this.#deps.scheduler.now(), () => this.#tools.answered(requestId, outcome));
  }

  /** Releases every resource and returns the result. Call once, after the end. */
  async finish(): Promise<ConversationResult> {
    this.#finished = true;
    this.#cancelHangup?.();
    if (this.#reason === null) this.#failure.ended('CONVERSATION_CUT');
    this.#end('FAILED', this.#deps.scheduler.now());
    this.#tools.finish();
    this.#pauses.end(this.#endedAt);
    // A provider that fails to close costs neither the result nor the close of the others.
    this.#guarded(this.#endedAt, () => this.#record.bridged(this.#transfer.close()));
    this.#guarded(this.#endedAt, () => this.#hearing.close());
    this.#guarded(this.#endedAt, () => this.#tts.close());
    this.#guarded(this.#endedAt, () => this.#llm.close());
    const media = this.#deps.leg.stats();
    const recording = (await this.#deps.recorder?.close()) ?? null;
    const eventLog = await this.#eventLog.close().catch(() => null);
    return {
      reason: this.#reason ?? 'FAILED',
      failure: (this.#reason ?? 'FAILED') === 'FAILED' ? this.#failure.reason : null,
      ...this.#record.whole(this.#tools.log, this.#pauses.list),
      optedOut: this.#reason === 'OPTED_OUT' || this.#tools.hasOptedOut,
      callback: null,
      recording,
      eventLog: eventLog?.toString('base64') ?? null,
      media,
      transfers: this.#record.transfers,
      startedAt: this.#startedAt,
      endedAt: this.#endedAt,
    };
  }

  /** Suspends the conversation: only its cap and timeouts still apply. */
  #handOver(at: number): void {
    if (this.#reason !== null) return;
    this.#deps.onLive({ type: 'notice', code: 'TRANSFERRED', message: 'the caller is connected' });
    this.#deps.onBridge({ type: 'connected', at });
    if (!this.#held) this.#suspend(true, at);
  }

  #suspend(held: boolean, at: number): void {
    this.#hearing.reset(at);
    this.#dispatch({ type: held ? 'held' : 'resumed', at });
  }

  #guardedSink(sink: MediaSink): MediaSink {
    return guardedSink(sink, (error, at) => this.#fail(error, at));
  }

  #guarded(at: number, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#fail(error, at);
    }
  }

  /** A fault in one conversation ends that call alone: the thread and its other calls go on. */
  #fail(error: unknown, at: number): void {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#deps.onLive({ type: 'notice', code: 'CONVERSATION_FAILED', message });
    if (this.#reason === null) this.#failure.ended('CONVERSATION_FAILED');
    this.#end('FAILED', at);
  }

  #dispatch(event: TurnEvent): void {
    this.#queue.push(event);
    if (this.#handling) return;
    this.#handling = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        const { state, effects } = step(this.#state, next);
        this.#optOut.follow(this.#state, { state, effects }, next.at);
        this.#eventLog.add(next, { before: this.#state, state, effects });
        this.#failure.follow(this.#state, state, next);
        this.#state = state;
        for (const effect of effects) this.#perform(effect, next.at);
      }
    } catch (error) {
      // Also events of providers end here: thrown into their callbacks, the error would end the thread.
      this.#queue.length = 0;
      this.#fail(error, event.at);
    } finally {
      this.#handling = false;
    }
    this.#pauseForKeys(event.at);
    this.#record.publish(this.#tools.log, this.#pauses.list);
  }

  #perform(effect: TurnEffect, at: number): void {
    switch (effect.type) {
      case 'expect':
        this.#hearing.expect(effect.expected);
        return;
      case 'generate': {
        const turn = this.#state.turns + (effect.speculative ? 1 : 0);
        this.#measures.asked(effect.replyId, turn, { vendor: this.#deps.providers.llm.name, model: null });
        this.#replies.generate(effect.replyId, effect.history, effect.memory);
        return;
      }
      case 'cancel_reply':
        this.#replies.cancel(effect.replyId);
        this.#tools.cancel(effect.replyId);
        return;
      case 'speak':
        this.#hearing.agentSays(effect.text);
        this.#sources.spoken(effect.replyId, effect.utteranceId, effect.text, phrasesNow(this.#state));
        this.#replies.speak(
          effect.replyId,
          effect.utteranceId,
          effect.text,
          hasFixedWords(this.#state, effect),
        );
        return;
      case 'end_speech':
        this.#replies.endSpeech(effect.replyId);
        return;
      case 'release':
        this.#player.release(effect.replyId);
        return;
      case 'stop_speaking':
        this.#deps.leg.flush?.();
        // Before any queued event: the core needs to know what the caller heard.
        this.#queue.unshift({ type: 'speaking_stopped', heard: this.#replies.stopSpeaking(), at });
        return;
      case 'lower_voice':
        this.#player.lower(effect.isLow);
        return;
      case 'transcribe':
      case 'turn_latency':
      case 'interrupted':
        this.#record.add(effect);
        return;
      case 'tool':
        this.#tools.start(effect, at);
        return;
      case 'hidden_keys':
        this.#hiddenKeys.set(effect.entry, effect.digits);
        return;
      case 'tool_over':
        this.#tools.settle(effect);
        return;
      case 'hangup':
        this.#end(effect.reason, at);
        return;
      default:
        effect satisfies never;
    }
  }

  /** While the caller is connected to somebody else, the agent expects no keys. */
  #pauseForKeys(at: number): void {
    this.#pauses.hide(!this.#transfer.isConnected && expectsHiddenKeys(this.#state), at);
  }

  #onUtteranceStarted(utteranceId: number, at: number): void {
    this.#record.agentSounded(at - this.#startedAt);
    this.#sources.started(utteranceId, at);
    this.#dispatch({ type: 'utterance_started', utteranceId, at });
  }

  #end(reason: EndReason, at: number): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#endedAt = at;
    this.#replies.stop();
    const hearsUs = !this.#hasLeft && reason !== 'MEDIA_TIMEOUT';
    if (!hearsUs || this.#finished) this.#deps.onHangup(reason);
    else this.#cancelHangup = this.#deps.scheduler.after(TAIL_MS, () => this.#deps.onHangup(reason));
  }
}
