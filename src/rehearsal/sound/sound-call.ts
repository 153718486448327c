import { gunzipSync } from 'node:zlib';
import { beep } from '@callwright/audio';
import { optOutSense } from '@callwright/language';
import { type MediaLeg, type MediaSink, RtpLeg } from '@callwright/rtp';
import { acceptAnswer, answerOffer, createOffer, type InboundLeg, type OutboundLeg } from '@callwright/sip';
import { readLog } from '@callwright/turns';
import type { SttProvider } from '../../providers/ports/recogniser.ts';
import { openNoiseFilter } from '../../providers/noise/speex.ts';
import { openBrain } from '../../providers/ports/open-brain.ts';
import { CallSession } from '../../session/call-session.ts';
import type { CallSpec, LiveEvent, ToolRequest } from '../../session/protocol.ts';
import { conversationSettings, talkOf } from '../../session/settings.ts';
import { createScheduler } from '../../shared/clock.ts';
import { silentLog } from '../../shared/log.ts';
import type { ConversationResult } from '../../voice/conversation.ts';
import { storyOf } from '../detect/story.ts';
import { BEEP, FarSide } from '../play/far-side.ts';
import { Mocks } from '../play/mocks.ts';
import { MOST_SECONDS, type CallToPlay } from '../play/play-call.ts';
import type { CallerSound, PlayedCall } from '../play/rehearsal.ts';
import { soundMs } from '../play/virtual-voice.ts';
import { CallerPhone } from './caller-phone.ts';
import { callerVoice, CallerVoice } from './caller-voice.ts';
import { ADDRESS } from './exchange.ts';
import { GivenWords } from './given-words.ts';
import type { Studio } from './studio.ts';

const RATE = 8_000;

type CallBySound = Omit<CallToPlay, 'timing'>;

/** Plays one call by sound in real time: SIP and RTP on loopback, and the session of a phone call. Never rejects. */
export function playSoundCall(call: CallBySound, studio: Studio): Promise<PlayedCall> {
  return new SoundCall(call, studio).play();
}

class SoundCall {
  readonly #call: CallBySound;
  readonly #studio: Studio;
  readonly #spec: CallSpec;
  /** Where the caller reaches the agent. */
  readonly #number: string;
  readonly #far: FarSide;
  readonly #voice: CallerVoice;
  readonly #stt: SttProvider;
  readonly #given: GivenWords | null;
  readonly #mocks: Mocks;
  readonly #sounds: CallerSound[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #played: Promise<PlayedCall>;
  #resolve: (call: PlayedCall) => void = () => undefined;
  #phone: CallerPhone | null = null;
  #dialled: OutboundLeg | null = null;
  #leg: InboundLeg | null = null;
  #media: RtpLeg | null = null;
  #session: CallSession | null = null;
  #startedAt = 0;
  #isOver = false;
  #isAtLimit = false;
  #failure: string | null = null;

  constructor(call: CallBySound, studio: Studio) {
    this.#call = call;
    this.#studio = studio;
    const { agent, scenario, seed } = call;
    this.#number = studio.exchange.newNumber();
    // The caller hears the end of the agent's words: ambience would sound on.
    const { backgroundVolume: _, ...snapshot } = agent.spec.agent;
    this.#spec = {
      ...agent.spec,
      callId: this.#number,
      agent: snapshot,
      variables: { ...agent.spec.variables, ...scenario.variables },
    };
    this.#mocks = new Mocks(scenario.tools ?? [], scenario.state ?? {});
    this.#given = studio.recogniser === 'given' ? new GivenWords() : null;
    this.#stt = this.#given ?? studio.providers.stt;
    this.#far = new FarSide({
      scenario,
      spec: this.#spec,
      seed,
      elapsed: () => studio.clock.now() - this.#startedAt,
      later: (afterMs, run) => this.#later(afterMs, run),
      say: (kind, pieces, onEnd) => this.#say(kind, pieces, onEnd),
      beep: () => this.#voice.play(beep(BEEP.hz, BEEP.ms, RATE)),
      hangUp: () => this.#dialled?.hangup('the caller hung up'),
    });
    this.#voice = new CallerVoice({
      tts: studio.providers.tts.open(callerVoice(scenario.persona, this.#far.language, studio.usualVoice)),
      now: () => studio.clock.now(),
      onFault: (error) => this.#fail(error.message),
    });
    this.#played = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  async play(): Promise<PlayedCall> {
    const { scenario, seed } = this.#call;
    const number = this.#number;
    const { exchange, ports, wheel, clock } = this.#studio;
    const { persona } = scenario;
    try {
      const speak = (out: Int16Array): boolean => this.#voice.fill(out);
      const phone = await CallerPhone.open({ ports, wheel, clock, seed, persona, speak });
      this.#phone = phone;
      exchange.setAgent(number, (leg) => this.#arrived(leg));
      const { codec } = persona.line ?? {};
      const offer = createOffer({
        address: ADDRESS,
        port: phone.port,
        sessionId: 1,
        version: 1,
        ...(codec === undefined ? {} : { codecs: [codec] }),
      });
      this.#dialled = exchange.dial(number, offer, {
        onRinging: () => undefined,
        onAnswered: ({ sdp }) => {
          const answer = acceptAnswer(sdp, offer);
          if (answer.accepted) phone.start(answer.media);
          else this.#fail(answer.reason);
        },
        onFailed: ({ reason }) => this.#fail(`the call was not answered: ${reason}`),
        onEnded: () => undefined,
        onReoffer: () => null,
        onDtmf: () => undefined,
      });
      this.#later((scenario.most_seconds ?? MOST_SECONDS) * 1_000, () => {
        this.#isAtLimit = true;
        this.#dialled?.hangup('the limit of the scenario');
      });
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    }
    return this.#played;
  }

  /** The call reaches the agent. */
  #arrived(leg: InboundLeg): void {
    this.#leg = leg;
    leg.listen({
      onAnswered: () => undefined,
      onAcknowledged: () => this.#begin(),
      onFailed: ({ reason }) => this.#fail(`the call was not answered: ${reason}`),
      onEnded: () => {
        this.#session?.remoteHangup(this.#studio.clock.now());
        void this.#finish();
      },
      onReoffer: () => null,
      onDtmf: () => undefined,
    });
    leg.ringing();
    this.#answer(leg).catch((error: unknown) => {
      leg.reject(503);
      this.#fail(error instanceof Error ? error.message : String(error));
    });
  }

  async #answer(leg: InboundLeg): Promise<void> {
    const { ports, wheel, clock } = this.#studio;
    const media = await RtpLeg.open({ ports, address: ADDRESS, wheel, clock, log: silentLog });
    this.#media = media;
    const outcome = answerOffer(leg.sdpOffer ?? '', {
      address: ADDRESS,
      port: media.port,
      sessionId: 1,
      version: 1,
    });
    if (!outcome.accepted) throw new Error(outcome.reason);
    media.update(outcome.media);
    leg.answer(outcome.answer);
  }

  #begin(): void {
    const media = this.#media;
    if (media === null || this.#session !== null || this.#isOver) return;
    const { clock, providers } = this.#studio;
    const { vad, tts, turn } = providers;
    const { noiseSuppression } = this.#spec.agent;
    const session = new CallSession(this.#spec, {
      providers: { vad, tts, stt: this.#stt, llm: this.#call.agent.llm, ...(turn ? { turn } : {}) },
      leg: this.#heardBy(media),
      recorder: null,
      noiseFilter: noiseSuppression === null ? null : openNoiseFilter(RATE, noiseSuppression),
      scheduler: createScheduler(clock),
      optOutSense,
      onLive: (event) => this.#live(event),
      onProgress: () => undefined,
      onOptOut: () => undefined,
      onTool: (request) => this.#runTool(request),
      onBridge: () => undefined,
      onHangup: () => {
        this.#leg?.hangup('the agent ended the call');
        void this.#finish();
      },
    });
    this.#session = session;
    this.#startedAt = clock.now();
    session.start(this.#startedAt);
    this.#far.answered();
  }

  /** The caller hears the end of each sentence of the agent. */
  #heardBy(media: RtpLeg): MediaLeg {
    let wasSounding = false;
    const listening = (sink: MediaSink): MediaSink => ({
      onAudio: (pcm, timestamp, concealed, at) => sink.onAudio(pcm, timestamp, concealed, at),
      fill: (out, at) => {
        const isSounding = sink.fill(out, at);
        if (wasSounding && !isSounding) this.#far.agentEnded(false);
        wasSounding = isSounding;
        return isSounding;
      },
      onDtmf: (digit, at) => sink.onDtmf(digit, at),
      onMediaTimeout: (at) => sink.onMediaTimeout(at),
    });
    return {
      sampleRate: media.sampleRate,
      start: (sink) => media.start(listening(sink)),
      sendDtmf: (digits) => media.sendDtmf(digits),
      stats: () => media.stats(),
      close: () => media.close(),
    };
  }

  #live(event: LiveEvent): void {
    if (event.type === 'words' && event.role === 'agent')
      this.#far.agentStarted(event.text, soundMs(event.text, this.#spec.agent.voiceSpeed));
    if (event.type === 'notice' && event.code === 'CONVERSATION_FAILED') this.#failure = event.message;
  }

  #say(kind: CallerSound['kind'], pieces: Parameters<CallerVoice['say']>[0], onEnd: () => void): void {
    const text = pieces.map((piece) => piece.text).join(' ');
    this.#voice.say(
      pieces,
      (sounding) => {
        this.#given?.begin(sounding);
        const [from, to] = [sounding[0]?.from ?? 0, sounding.at(-1)?.to ?? 0];
        this.#sounds.push({ kind, text, from: from - this.#startedAt, to: to - this.#startedAt });
      },
      onEnd,
    );
  }

  #runTool({ requestId, name, args }: ToolRequest): void {
    const { ok, result, variables, ms } = this.#mocks.answer(name, args);
    const isTransfer = this.#spec.tools?.find((tool) => tool.name === name)?.kind === 'transfer';
    this.#later(ms, () =>
      this.#session?.toolResult(requestId, {
        ok,
        result,
        ...(variables === undefined ? {} : { variables }),
        ...(ok && isTransfer ? { ends: 'CALL_TRANSFERRED' } : {}),
      }),
    );
  }

  #later(afterMs: number, run: () => void): void {
    if (this.#isOver) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, afterMs);
    this.#timers.add(timer);
  }

  #fail(message: string): void {
    this.#failure ??= message;
    this.#dialled?.hangup('the call failed');
    void this.#finish();
  }

  async #finish(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#far.stop();
    // The event that ended the call is still being handled.
    await Promise.resolve();
    const result = (await this.#session?.finish()) ?? null;
    this.#voice.close();
    this.#studio.exchange.setAgent(this.#number, null);
    await Promise.all([this.#phone?.close(), this.#media?.close()]);
    this.#resolve(this.#asPlayed(result));
  }

  #asPlayed(result: ConversationResult | null): PlayedCall {
    const log = result?.eventLog == null ? null : readLog(textOf(result.eventLog));
    if (result === null || log === null) return this.#unplayed();
    const events = log.entries.map(({ event }) => event);
    const { startedAt, endedAt, reason, toolLog } = result;
    return {
      seed: this.#call.seed,
      settings: log.settings,
      events,
      agent: storyOf(log.settings, events).agent,
      caller: this.#sounds,
      tools: toolLog.map(({ name, args, result: answer, at, ms = 0, ok = true }) => ({
        name,
        args,
        result: answer,
        ok,
        ms,
        at: at - startedAt,
      })),
      end: this.#isAtLimit ? null : { reason, at: endedAt - startedAt },
      failure: this.#failure,
    };
  }

  #unplayed(): PlayedCall {
    const { agent, seed } = this.#call;
    const { context } = talkOf(this.#spec, this.#stt, RATE);
    const brain = openBrain(agent.llm, context, () => this.#studio.clock.now());
    const settings = conversationSettings(this.#spec, context, brain);
    brain.close();
    const failure = this.#failure ?? 'the call has no event log';
    return { seed, settings, events: [], agent: [], caller: [], tools: [], end: null, failure };
  }
}

const textOf = (eventLog: string): string => gunzipSync(Buffer.from(eventLog, 'base64')).toString('utf8');
