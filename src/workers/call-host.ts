import { readAloud } from '../language/spoken/read-aloud.ts';
import { join, relative } from 'node:path';
import type { Log } from '../shared/log.ts';
import type { KnowledgeIndexes } from '../shared/knowledge/knowledge-index.ts';
import type { Scheduler } from '../shared/clock.ts';
import { optOutSense } from '../language/opt-out.ts';
import { openNoiseFilter } from '../providers/noise/speex.ts';
import type { Providers } from '../providers/registry.ts';
import { CallSession } from '../session/call-session.ts';
import { earlyMedia } from '../session/early-media.ts';
import type { FreeSpace } from '../session/free-space.ts';
import { Listeners } from '../session/listeners.ts';
import { Recorder } from '../session/recorder.ts';
import { firstWords, talkOf } from '../session/settings.ts';
import type { NegotiatedMedia } from '../telephony/media.ts';
import type { ListenerSocket } from '../telephony/web/listener-socket.ts';
import type { ServerMessage } from '../telephony/web/messages.ts';
import type { WebLeg, WebLegEvents } from '../telephony/web/web-leg.ts';
import type { MediaLeg } from '../voice/ports.ts';
import type { TranscriptLine } from '../voice/turn/types.ts';
import type { CallProviders } from '../shared/vendor-accounts.ts';
import type { Chosen, ChosenProviders } from './chosen-providers.ts';
import type { OwnModels } from './own-models.ts';
import type { CallSpec, FromWorker, LiveEvent, ToWorker } from './protocol.ts';
import { WebConnections } from './web-connections.ts';

/** A media leg that the host can bind to a negotiated stream. */
export interface HostedLeg extends MediaLeg {
  readonly port: number;
  update(media: NegotiatedMedia): void;
}
type AnyLeg = HostedLeg | WebLeg;

export interface CallHostDeps {
  readonly providers: Providers;
  readonly models: OwnModels;
  readonly chosen: ChosenProviders;
  /** The thread's knowledge indexes, shared by its calls. */
  readonly indexes: KnowledgeIndexes;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly recordingsDir: string;
  readonly space: FreeSpace;
  /** Binds an RTP port pair. Rejects when none is free. */
  openLeg(): Promise<HostedLeg>;
  /** The leg of a browser call. */
  openWebLeg(events: WebLegEvents): WebLeg;
  /** RTP port pairs that no leg holds. */
  freePairs(): number;
  readonly send: (message: FromWorker) => void;
}

type Order = (session: CallSession) => void;

interface HostedCall {
  readonly leg: AnyLeg;
  session: CallSession | null;
  /** Orders for the session of an answered call whose providers still load; null: it does not wait for any. */
  early: Order[] | null;
  readonly listeners: Listeners;
  readonly listening: Set<ListenerSocket>;
  /** Providers that agent or workspace chose; null: none yet, or those of the installation. */
  chosen: Chosen | null;
  finishing: boolean;
  /** The network's sounds while it rings are listened to. */
  hearsEarlyMedia: boolean;
  /** Request id of the transfer leg; null: none is wanted. */
  bridgeRequest: number | null;
  target: HostedLeg | null;
}

const hasChosen = (spec: CallSpec): spec is CallSpec & { providers: CallProviders } =>
  Object.values(spec.providers ?? {}).some((part) => part !== undefined);

const lineMessage = ({ role, text, by, interrupted }: TranscriptLine): ServerMessage => ({
  type: 'line',
  role,
  text,
  by,
  interrupted,
});

/** Shows the caller their own words as they come. */
const wordsTo =
  (leg: { tell(message: ServerMessage): void }) =>
  (text: string, isFinal: boolean): void =>
    leg.tell({ type: 'words', text, final: isFinal });

/** The calls of one worker thread: turns the main thread's messages into legs and sessions, and their events back. */
export class CallHost {
  readonly #deps: CallHostDeps;
  readonly #connections: WebConnections;
  readonly #calls = new Map<string, HostedCall>();
  /** Port pairs being bound: the main thread still counts them among its requests in flight. */
  #opening = 0;
  #isStopped = false;

  constructor(deps: CallHostDeps) {
    this.#deps = deps;
    this.#connections = new WebConnections(deps);
  }

  get calls(): number {
    return this.#calls.size;
  }

  /** As the main thread has to count them: a pair being bound is reported free until its request is answered. */
  get freePairs(): number {
    return this.#deps.freePairs() + this.#opening;
  }

  /** Carries out one message; those about the thread itself are the thread's. */
  receive(message: Exclude<ToWorker, { type: 'stop' | 'vendor_broken' | 'account_broken' }>): void {
    const { scheduler } = this.#deps;
    if (message.type === 'ping') {
      this.#deps.send({ type: 'pong' });
      return;
    }
    if (message.type === 'allocate') {
      if (message.kind === 'web') this.#allocateWeb(message.requestId, message.callId);
      else void this.#allocate(message.requestId, message.callId);
      return;
    }
    if (message.type === 'bridge_open') {
      void this.#openBridge(message.requestId, message.callId, message.briefing);
      return;
    }
    const callId =
      message.type === 'prepare' || message.type === 'answered' ? message.spec.callId : message.callId;
    const call = this.#calls.get(callId);
    if (call === undefined) {
      if (message.type === 'web_socket') this.#connections.refuse(message.socket);
      if (message.type === 'listener') {
        this.#connections.refuseListener(callId, message.listenerId, message.socket);
      }
      return;
    }
    const { session } = call;
    switch (message.type) {
      case 'media':
        if ('update' in call.leg) this.#update(callId, call, call.leg, message.media);
        order(call, (ready) => ready.hold(message.media.direction !== 'sendrecv', scheduler.now()));
        return;
      case 'web_socket':
        if ('attach' in call.leg) this.#connections.attach(callId, call.leg, message.socket, message.resume);
        else this.#connections.refuse(message.socket);
        return;
      case 'listener':
        this.#connections.listen(callId, call, message.listenerId, message.socket);
        return;
      case 'prepare':
        this.#prepare(call, message.spec);
        return;
      case 'answered':
        if (session === null && call.early === null) this.#answered(call, message.spec, message.at);
        return;
      case 'remote_hangup':
        if (session === null && call.early === null) void this.#finish(callId);
        else order(call, (ready) => ready.remoteHangup(message.at));
        return;
      case 'end':
        order(call, (ready) => ready.requestEnd(message.reason, message.say));
        return;
      case 'dtmf_received':
        order(call, (ready) => ready.onDtmf(message.digit, message.at));
        return;
      case 'tool_result':
        session?.toolResult(message.requestId, message.outcome);
        return;
      case 'bridge_media':
        call.target?.update(message.media);
        return;
      case 'bridge_answered':
        session?.bridgeAnswered(message.at);
        return;
      case 'bridge_dtmf':
        call.leg.sendDtmf([message.digit]);
        return;
      case 'bridge_close':
        this.#closeBridge(call);
        return;
      case 'release':
        if (session === null) void this.#finish(callId);
        return;
      default:
        message satisfies never;
    }
  }

  /** Ends every call and resolves when all have reported. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(
      [...this.#calls].map(([callId, call]) => {
        call.session?.requestEnd('USER_TERMINATED', null);
        return this.#finish(callId);
      }),
    );
  }

  async #openLeg(): Promise<HostedLeg> {
    this.#opening += 1;
    try {
      return await this.#deps.openLeg();
    } finally {
      this.#opening -= 1;
    }
  }

  #allocated(requestId: number, { port }: AnyLeg): void {
    this.#deps.send({ type: 'allocated', requestId, port, freePairs: this.freePairs });
  }

  #refuse(requestId: number, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#deps.send({ type: 'allocation_failed', requestId, message, freePairs: this.freePairs });
  }

  async #allocate(requestId: number, callId: string): Promise<void> {
    try {
      const leg = await this.#openLeg();
      if (!this.#isStopped) return this.#host(requestId, callId, leg);
      await leg.close();
      return this.#refuse(requestId, 'the call worker is stopping');
    } catch (error) {
      return this.#refuse(requestId, error);
    }
  }

  #allocateWeb(requestId: number, callId: string): void {
    const { scheduler, send } = this.#deps;
    const leg = this.#deps.openWebLeg({
      onAway: (isAway) => this.#calls.get(callId)?.session?.hold(isAway, scheduler.now()),
      onLeft: (by) => send({ type: 'left', callId, by, at: scheduler.now() }),
    });
    this.#host(requestId, callId, leg);
  }

  #host(requestId: number, callId: string, leg: AnyLeg): void {
    this.#calls.set(callId, {
      leg,
      session: null,
      early: null,
      listeners: new Listeners(),
      listening: new Set(),
      chosen: null,
      finishing: false,
      hearsEarlyMedia: false,
      bridgeRequest: null,
      target: null,
    });
    this.#allocated(requestId, leg);
  }

  /** The transfer leg lives on the caller's thread, so that frames pass from one to the other without a copy. */
  async #openBridge(requestId: number, callId: string, briefing: string): Promise<void> {
    const call = this.#calls.get(callId);
    if (call === undefined || call.finishing || call.session === null || call.bridgeRequest !== null) {
      return this.#refuse(requestId, 'the call takes no second leg now');
    }
    call.bridgeRequest = requestId;
    try {
      const target = await this.#openLeg();
      if (call.bridgeRequest !== requestId || call.finishing) {
        await target.close();
        return this.#refuse(requestId, 'the second leg is not wanted any more');
      }
      call.target = target;
      call.session.openBridge(target, briefing);
      return this.#allocated(requestId, target);
    } catch (error) {
      if (call.bridgeRequest === requestId) this.#closeBridge(call);
      return this.#refuse(requestId, error);
    }
  }

  #closeBridge(call: HostedCall): void {
    call.bridgeRequest = null;
    call.session?.closeBridge();
    void call.target?.close();
    call.target = null;
  }

  #update(callId: string, call: HostedCall, leg: HostedLeg, media: NegotiatedMedia): void {
    leg.update(media);
    if (call.session !== null || call.hearsEarlyMedia) return;
    call.hearsEarlyMedia = true;
    leg.start(
      earlyMedia(leg.sampleRate, (tones) => this.#deps.send({ type: 'special_tones', callId, tones })),
    );
  }

  /** A failure costs time only: the call rings on, and is answered with what works then. */
  #prepare(call: HostedCall, spec: CallSpec): void {
    const { log } = this.#deps;
    void Promise.all([this.#warmOwnModel(spec), this.#warmProviders(call, spec)]).catch((error: unknown) =>
      log.warn({ err: error, callId: spec.callId }, 'vendors could not be connected to early'),
    );
  }

  async #warmOwnModel({ llm }: CallSpec): Promise<void> {
    if (llm?.own == null) return;
    const { models } = this.#deps;
    await models.load();
    models.of(llm.own).warm?.();
  }

  async #warmProviders(call: HostedCall, spec: CallSpec): Promise<void> {
    const chosen = hasChosen(spec) ? await this.#keepChosen(call, spec) : null;
    if (chosen === null && hasChosen(spec)) return;
    const { llm, tts } = chosen?.providers ?? this.#deps.providers;
    if (spec.llm?.own == null) llm.warm?.();
    const first = firstWords(spec);
    const { voiceKey, language, voiceSpeed: speed } = spec.agent;
    const voice = { voiceKey, language, speed, sampleRate: call.leg.sampleRate };
    if (first !== '') tts.warm?.(voice, readAloud(first, language).text);
    chosen?.ring(talkOf(spec, chosen.providers.stt, call.leg.sampleRate));
  }

  /** The call keeps the providers that it warms: a speech-to-speech vendor's connection is its own. Null: it has others. */
  async #keepChosen(call: HostedCall, spec: CallSpec & { providers: CallProviders }): Promise<Chosen | null> {
    await this.#loaded(spec);
    if (call.finishing || call.chosen !== null) return null;
    call.chosen = this.#choose(spec);
    return call.chosen;
  }

  /** Loads what the call's providers need; null: it is there. */
  #loaded(spec: CallSpec): Promise<unknown> | null {
    const { models, chosen } = this.#deps;
    const loads = [
      ...(spec.llm?.own == null || models.isLoaded ? [] : [models.load()]),
      ...(!hasChosen(spec) || chosen.isLoaded ? [] : [chosen.load()]),
    ];
    return loads.length === 0 ? null : Promise.all(loads);
  }

  #choose(spec: CallSpec & { providers: CallProviders }): Chosen {
    const { models, chosen } = this.#deps;
    return chosen.of(spec.providers, spec.llm?.own == null ? null : models.of(spec.llm.own));
  }

  #answered(call: HostedCall, spec: CallSpec, at: number): void {
    const loaded = this.#loaded(spec);
    if (loaded === null) return this.#begin(call, spec, at);
    call.early = [];
    void loaded.then(
      () => this.#begin(call, spec, at),
      (error: unknown) => this.#failed(spec, error),
    );
    return undefined;
  }

  #begin(call: HostedCall, spec: CallSpec, at: number): void {
    if (call.finishing) return;
    try {
      const session = this.#openSession(call, spec);
      session.start(at);
      for (const early of call.early?.splice(0) ?? []) early(session);
    } catch (error) {
      this.#failed(spec, error);
    }
  }

  #failed({ callId }: CallSpec, error: unknown): void {
    this.#deps.log.error({ err: error, callId }, 'a conversation could not begin');
    this.#deps.send({ type: 'hangup', callId, reason: 'FAILED' });
    void this.#finish(callId);
  }

  #openSession(call: HostedCall, spec: CallSpec): CallSession {
    const { models, indexes, scheduler, recordingsDir, space, send } = this.#deps;
    const { callId } = spec;
    if (hasChosen(spec)) call.chosen ??= this.#choose(spec);
    const providers = call.chosen?.providers ?? {
      ...this.#deps.providers,
      ...(spec.llm?.own == null ? {} : { llm: models.of(spec.llm.own) }),
    };
    const rate = call.leg.sampleRate;
    const onLive = (event: LiveEvent): void => {
      send({ type: 'live', callId, event });
      if (event.type === 'line' && 'tell' in call.leg) call.leg.tell(lineMessage(event.line));
    };
    const failed = (error: Error): void =>
      onLive({ type: 'notice', code: 'RECORDING_FAILED', message: error.message });
    const { noiseSuppression } = spec.agent;
    const session = new CallSession(spec, {
      providers,
      leg: call.leg,
      recorder:
        spec.recordingPath === null
          ? null
          : new Recorder(join(recordingsDir, spec.recordingPath), rate, failed, space),
      noiseFilter: noiseSuppression === null ? null : openNoiseFilter(rate, noiseSuppression),
      listeners: call.listeners,
      indexes,
      scheduler,
      optOutSense,
      onLive,
      ...('tell' in call.leg ? { onWords: wordsTo(call.leg) } : {}),
      onProgress: (progress) => send({ type: 'progress', callId, progress }),
      onOptOut: () => send({ type: 'opted_out', callId }),
      onTool: (request) => send({ type: 'tool', callId, request }),
      onBridge: (event) => send({ type: 'bridge', callId, event }),
      onHangup: (reason) => {
        send({ type: 'hangup', callId, reason });
        if ('tell' in call.leg) call.leg.tell({ type: 'ended', reason });
        void this.#finish(callId);
      },
    });
    call.session = session;
    return session;
  }

  /** Closes the session and its legs, then reports. Runs once a call, and never rejects: that would end the thread. */
  async #finish(callId: string): Promise<void> {
    const call = this.#calls.get(callId);
    if (call === undefined || call.finishing) return;
    call.finishing = true;
    for (const listening of call.listening) listening.close();
    // The event that ended the call is still being handled: let it complete first.
    await Promise.resolve();
    const failed = (error: unknown): void =>
      this.#deps.log.error({ err: error, callId }, 'a call could not be closed completely');
    const result = await call.session?.finish().catch(failed);
    call.chosen?.release();
    await Promise.all([call.leg.close(), call.target?.close()]).catch(failed);
    this.#calls.delete(callId);
    if (result === undefined) return;
    const { recordingsDir, send } = this.#deps;
    const { recording } = result;
    const stored =
      recording === null ? null : { ...recording, path: relative(recordingsDir, recording.path) };
    send({ type: 'finished', callId, result: { ...result, recording: stored } });
  }
}

/** Carries out an order now, or once the session of an answered call exists; before the answer it has no meaning. */
function order({ session, early }: HostedCall, run: Order): void {
  if (session !== null) run(session);
  else early?.push(run);
}
