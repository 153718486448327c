import type { AgentBrains } from '../providers/ports/agent-brains.ts';
import type { DtmfDigit } from '@callwright/audio';
import {
  type Ears,
  type EndReason,
  type TurnEvent,
  expectsHiddenKeys,
  hearsOf,
  hidesKeys,
} from '@callwright/turns';
import type { MediaLeg, MediaSink } from '@callwright/rtp';
import type { TtsSession } from '../providers/ports/voice.ts';
import { speakable } from '../voice/prompt/leave-out.ts';
import type { CallSpec, InvitedGuest, ToolAnswer } from './protocol.ts';
import { joinCall, openBrains, type NextProviders } from './next-agent.ts';
import type { ConversationResult } from '../voice/conversation.ts';
import { CallEnd } from './call-end.ts';
import { Effects } from './effects.ts';
import { EventLogWriter } from './event-log-writer.ts';
import { FailureWatch } from './failure-watch.ts';
import { Hearing } from './hearing.ts';
import { HiddenKeys } from './hidden-keys.ts';
import { ProcessorMeter } from './processor-meter.ts';
import { OptOutWatch } from './opt-out-watch.ts';
import { Person } from './person.ts';
import { Background, Player } from './player.ts';
import { replyMeter } from './reply-meter.ts';
import { ReplySources } from './reply-sources.ts';
import { RunningReplies } from './running-replies.ts';
import { lookUpIn } from './lookup-knowledge.ts';
import { inSpokenForms } from './spoken-forms.ts';
import type { SessionDeps } from './session-deps.ts';
import { answerSettings, conversationSettings, talkOf } from './settings.ts';
import { ConversationRecord } from './conversation-record.ts';
import { guardedSink, Taps } from './taps.ts';
import { Suspension } from './suspension.ts';
import { StepSpeakers } from './step-speakers.ts';
import { ToolCalls } from './tool-calls.ts';
import { TransferLeg } from './transfer-leg.ts';
import { TurnLoop } from './turn-loop.ts';
import { TurnMeasures } from './turn-measures.ts';

/** After this long without a frame the far side counts as silent; earlier, its packets may only be late. */
const GAP_MS = 120;
/** After this long without a step the thread had stalled: packets that arrived meanwhile are read after the step. */
const STALL_MS = 40;

/** The imperative shell of the conversation core: turns frames and provider results into events, and carries out effects. */
export class CallSession implements MediaSink {
  /** How long the call has its thread. */
  readonly processor = new ProcessorMeter();
  readonly person: Person;
  readonly #deps: SessionDeps;
  readonly #player: Player;
  readonly #hearing: Hearing;
  readonly #tts: TtsSession;
  readonly #llm: AgentBrains;
  readonly #replies: RunningReplies;
  readonly #turns: TurnLoop;
  readonly #effects: Effects;
  readonly #ending: CallEnd;
  #startedAt = 0;
  #lastAudioAt = 0;
  #lastFillAt = 0;
  #stalledAt = 0;
  readonly suspension: Suspension;
  readonly transfer: TransferLeg;
  readonly #record: ConversationRecord;
  readonly #measures: TurnMeasures;
  readonly #sources = new ReplySources();
  readonly #eventLog: EventLogWriter;
  readonly #tools: ToolCalls;
  readonly #optOut: OptOutWatch;
  readonly #failure = new FailureWatch();
  readonly #hiddenKeys = new HiddenKeys();
  readonly #taps: Taps;
  readonly #spec: CallSpec;
  #wasSounding = false;
  readonly #background: Background | null;

  constructor(spec: CallSpec, deps: SessionDeps) {
    this.#deps = deps;
    this.#ending = new CallEnd(deps);
    this.#measures = new TurnMeasures({ vendor: deps.providers.tts.name, model: null });
    const heard = () => this.person.usage(this.transfer.usage(this.#hearing.usage()));
    this.#record = new ConversationRecord(deps, this.#measures, this.#sources, heard, spec.agent);
    this.#taps = new Taps(deps.recorder, deps.listeners);
    this.#spec = spec;
    const rate = deps.leg.sampleRate;
    const { backgroundVolume } = spec.agent;
    this.#background = backgroundVolume === undefined ? null : new Background(rate, backgroundVolume);
    const { context, voice } = talkOf(spec, deps.providers.stt, rate);
    this.#llm = openBrains(deps, context, (event) => this.#dispatch(event));
    const settings = conversationSettings(spec, context, this.#llm);
    this.#eventLog = new EventLogWriter(settings, context.tools);
    this.#turns = new TurnLoop(
      settings,
      {
        perform: (effect, at) => this.#effects.perform(effect, at),
        watch: (event, before, state, effects) => {
          this.#optOut.follow(before, { state, effects }, event.at);
          this.#eventLog.add(event, { before, state, effects });
          this.#failure.follow(before, state, event);
          this.#record.follow(event, state);
        },
        onFault: (error, at) => this.#fail(error, at),
      },
      this.processor,
    );
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
    this.#tts = inSpokenForms(deps.providers.tts.open(voice), spec.agent);
    this.#replies = new RunningReplies(
      this.#llm,
      this.#tts,
      this.#player,
      () => deps.scheduler.now(),
      (event) => this.#dispatch(event),
      replyMeter(deps, this.#measures, this.#sources, this.#record, this.#failure),
      new StepSpeakers(deps.providers.tts, spec.agent, voice),
    );
    this.transfer = new TransferLeg({
      spec,
      session: deps,
      tts: this.#tts,
      isSpeaking: () => this.#player.isBusy,
      guarded: (sink) => this.#guardedSink(sink),
      onFault: (error, at) => this.#fail(error, at),
      onConnected: (at) => this.#handOver(at),
      dispatch: (event) => this.#dispatch(event),
    });
    this.suspension = new Suspension({
      isConnected: () => this.transfer.isConnected,
      listenAgain: (at) => this.#guarded(at, () => this.#hearing.listenAgain(at)),
      onChanged: (isSuspended, at) =>
        this.#guarded(at, () => {
          this.#hearing.reset(at);
          this.#dispatch({ type: isSuspended ? 'held' : 'resumed', at });
        }),
    });
    this.person = new Person({
      spec,
      session: deps,
      tts: this.#tts,
      isAway: () => this.transfer.isConnected || this.#ending.reason !== null,
      isHeld: () => this.suspension.holdsFarSide,
      dispatch: (event) => this.#dispatch(event),
      onFault: (error, at) => this.#fail(error, at),
    });
    this.#tools = new ToolCalls(context.tools, spec.toolLog ?? [], this.#hiddenKeys, {
      now: () => deps.scheduler.now(),
      isSpeaking: () => this.#player.isBusy,
      lookUp: lookUpIn(spec.knowledge ?? [], deps.indexes),
      sendKeys: (digits) => deps.leg.sendDtmf(digits),
      onOptOut: () => deps.onOptOut(),
      pauseRecording: (isPaused) => {
        this.#taps.ask(isPaused, deps.scheduler.now());
        return this.#taps.isRecording;
      },
      onTool: (request) => deps.onTool(request),
      answer: (event) => this.#dispatch(event),
      end: (reason) => this.requestEnd(reason, null),
    });
    this.#effects = new Effects({
      hearing: this.#hearing,
      replies: this.#replies,
      player: this.#player,
      tools: this.#tools,
      record: this.#record,
      measures: this.#measures,
      sources: this.#sources,
      hiddenKeys: this.#hiddenKeys,
      llm: deps.providers.llm.name,
      state: () => this.#turns.state,
      leg: deps.leg,
      first: (event) => this.#turns.insert(event),
      end: (reason, at) => this.#end(reason, at),
    });
    this.#optOut = new OptOutWatch(deps.optOutSense(context), (at) => this.#tools.optOut({}, at));
  }

  /** Applies new recogniser capabilities to model and machine. */
  #changeEars(ears: Ears, at: number): void {
    const hears = hearsOf(ears);
    if (hears === (this.#turns.state.settings.hears ?? null)) return;
    this.#llm.hears?.(ears);
    this.#dispatch({ type: 'ears_changed', hears, at });
  }

  /** Starts the conversation and its media. `at`: the answer, epoch ms. */
  start(at: number): void {
    this.#startedAt = at;
    this.#taps.start(at);
    const answer = answerSettings(this.#spec, this.#llm.introduces);
    if (answer !== null) this.#hearing.detectMachines(answer, at);
    this.#record.replacedVoice(this.#spec.agent.replacedVoice, at);
    this.#dispatch({ type: 'answered', at });
    this.#deps.leg.start(this.#guardedSink(this));
  }

  onAudio(pcm: Int16Array, timestamp: number, _concealed: boolean, at: number): void {
    if (this.#ending.reason !== null) return;
    this.#lastAudioAt = at;
    // A browser and a carrier's WebSocket send on: nobody hears it, and no recording has it.
    if (this.suspension.holdsFarSide) return;
    this.#taps.caller(pcm, timestamp);
    this.transfer.hear(pcm);
    if (!this.suspension.isSuspended) this.#hearing.audio(pcm, at);
  }

  fill(out: Int16Array, at: number): boolean {
    const { holdsUs, playsMusic, isSuspended } = this.suspension;
    let sounding = this.transfer.withMusic(out, this.#voice(out, at), holdsUs, playsMusic);
    if (this.#background !== null && !isSuspended) {
      this.#background.mix(out, sounding);
      sounding = true;
    }
    this.#taps.agent(sounding ? out : null, out.length, at);
    return sounding;
  }

  /** The agent's next 20 ms, with those of a guest, or the transfer target's; false: silence. */
  #voice(out: Int16Array, at: number): boolean {
    if (at - this.#lastFillAt > STALL_MS) this.#stalledAt = at;
    this.#lastFillAt = at;
    if (this.#turns.state.wakeAt !== null && this.#turns.state.wakeAt <= at)
      this.#dispatch({ type: 'wake', at });
    // Also while the agent does not listen: a recogniser without audio closes its connection.
    const isDeaf = this.suspension.isSuspended;
    if (isDeaf || at - Math.max(this.#lastAudioAt, this.#stalledAt) > GAP_MS) this.#hearing.silence(at);
    if (this.transfer.isConnected) return this.#ending.reason === null && this.transfer.take(out);
    const isTaken = this.person.take(out, at);
    const sounding = isTaken || (this.#ending.reason === null && this.#player.fill(out, at));
    const isHeard = this.transfer.withGuest(out, sounding, at);
    this.#hearing.sent(isHeard ? out : null);
    if (!sounding) this.#tools.begin();
    this.#hearing.tick(at, this.#wasSounding && !sounding && !this.#player.isBusy);
    this.#wasSounding = sounding;
    // A guest goes unheard while the far side waits.
    return this.suspension.holdsFarSide ? sounding : isHeard;
  }

  onDtmf(digit: DtmfDigit, at: number): void {
    if (this.transfer.isConnected || !hidesKeys(this.#turns.state, at))
      this.#deps.onLive({ type: 'dtmf', digit, at });
    if (this.transfer.isConnected) return this.transfer.press(digit);
    this.#dispatch({ type: 'dtmf', digit, at });
  }

  onText(text: string, at: number): void {
    if (!this.transfer.isConnected) this.#dispatch({ type: 'typed', text, at });
  }

  onMediaTimeout(at: number): void {
    this.#dispatch({ type: 'media_timeout', at });
  }

  /** Opens the transfer leg; its callee hears `briefing` before the caller is connected. `guest`: see `TransferLeg.open`. */
  openBridge(leg: MediaLeg, briefing: string, guest: InvitedGuest | null = null): void {
    const set = this.#tools.log.map((entry) => entry.variables ?? {});
    const values: Record<string, string> = Object.assign({}, this.#spec.variables, ...set);
    this.transfer.open(leg, speakable(briefing, values, this.#spec.agent.language).trim(), guest);
  }

  bridgeAnswered(at: number): void {
    if (this.#ending.reason === null) this.#guarded(at, () => this.transfer.answered(at));
  }

  /** The transfer leg ended; the agent resumes if the call continues. */
  closeBridge(): void {
    const at = this.#deps.scheduler.now();
    this.#guarded(at, () => {
      this.#record.bridged(this.transfer.close(this.#ending.reason === null ? at : null));
      if (this.#ending.reason === null) this.suspension.follow(at);
    });
  }

  /** The far side hung up. */
  remoteHangup(at: number): void {
    this.#ending.silence();
    this.#dispatch({ type: 'remote_hangup', at });
    this.#end(this.#hearing.leftAs(), at);
  }

  /** Ends the call on request of the API or the service, after speaking `say` when given. */
  requestEnd(reason: EndReason, say: string | null): void {
    this.#dispatch({ type: 'end_requested', reason, say, at: this.#deps.scheduler.now() });
  }

  /** Ends the call, which used more processor time than one call may. */
  exceedProcessorTime(): void {
    if (this.#ending.reason === null) this.#failure.ended('PROCESSOR_TIME_EXCEEDED');
    this.#end('FAILED', this.#deps.scheduler.now());
  }

  /** The main thread's answer to a tool request; `next`: what the agent that takes the call over thinks and speaks with. */
  toolResult(requestId: number, outcome: ToolAnswer, next: NextProviders | null = null): void {
    this.#guarded(this.#deps.scheduler.now(), () => {
      const parts = { brains: this.#llm, replies: this.#replies, tools: this.#tools, record: this.#record };
      const ears = { hearing: this.#hearing, optOut: this.#optOut };
      if (this.#tools.awaits(requestId)) joinCall(outcome, next, this.#deps, { ...parts, ...ears });
      this.#tools.answered(requestId, outcome);
    });
  }

  /** Releases every resource and returns the result. Call once, after the end. */
  async finish(): Promise<ConversationResult> {
    this.#ending.silence();
    this.#ending.cancelHangup();
    if (this.#ending.reason === null) this.#failure.ended('CONVERSATION_CUT');
    this.#end('FAILED', this.#deps.scheduler.now());
    this.#tools.finish();
    this.#taps.end(this.#ending.at);
    // A provider that fails to close costs neither the result nor the close of the others.
    const bridge = { close: () => this.#record.bridged(this.transfer.close()) };
    for (const part of [bridge, this.person, this.#hearing, this.#tts, this.#llm])
      this.#guarded(this.#ending.at, () => part.close());
    const recording = (await this.#deps.recorder?.close()) ?? null;
    const isLogKept = (await this.#deps.mayKeepLog?.()) ?? true;
    const eventLog = isLogKept ? await this.#eventLog.close().catch(() => null) : null;
    return {
      reason: this.#ending.reason ?? 'FAILED',
      failure: (this.#ending.reason ?? 'FAILED') === 'FAILED' ? this.#failure.reason : null,
      ...this.#record.whole(this.#tools.log, this.#taps.pauses),
      optedOut: this.#ending.reason === 'OPTED_OUT' || this.#tools.hasOptedOut,
      callback: null,
      recording,
      eventLog: eventLog?.toString('base64') ?? null,
      media: this.#deps.leg.stats(),
      transfers: this.#record.transfers,
      startedAt: this.#startedAt,
      endedAt: this.#ending.at,
    };
  }

  /** Caller and target talk alone: of the conversation only its cap and timeouts still apply. */
  #handOver(at: number): void {
    if (this.#ending.reason !== null) return;
    this.#deps.onLive({ type: 'notice', code: 'TRANSFERRED', message: 'the caller is connected' });
    this.#deps.onBridge({ type: 'connected', at });
    this.suspension.follow(at);
  }

  #guardedSink(sink: MediaSink): MediaSink {
    return guardedSink(sink, this.processor, (error, at) => this.#fail(error, at));
  }

  #guarded(at: number, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#fail(error, at);
    }
  }

  /** A fault in one conversation ends that call alone: the thread and its other calls continue. */
  #fail(error: unknown, at: number): void {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#deps.onLive({ type: 'notice', code: 'CONVERSATION_FAILED', message });
    if (this.#ending.reason === null) this.#failure.ended('CONVERSATION_FAILED');
    this.#end('FAILED', at);
  }

  #dispatch(event: TurnEvent): void {
    if (!this.#turns.dispatch(event)) return;
    // The agent expects no keys while the caller is connected to a transfer target.
    this.#taps.hide(!this.transfer.isConnected && expectsHiddenKeys(this.#turns.state), event.at);
    this.#record.publish(this.#tools.log, this.#taps.pauses);
  }

  #onUtteranceStarted(utteranceId: number, at: number): void {
    this.#record.agentSounded(at - this.#startedAt);
    this.#sources.started(utteranceId, at);
    this.#dispatch({ type: 'utterance_started', utteranceId, at });
  }

  #end(reason: EndReason, at: number): void {
    if (!this.#ending.end(reason, at)) return;
    this.#replies.stop();
    this.#ending.hangUp(reason);
  }
}
