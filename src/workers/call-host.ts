import { relative } from 'node:path';
import { earlyMedia } from '../session/early-media.ts';
import { failureReason } from '../shared/failure-reason.ts';
import type { NegotiatedMedia } from '@callwright/rtp';
import {
  hostedCall,
  order,
  type AnyLeg,
  type CallHostDeps,
  type HostedCall,
  type HostedLeg,
} from './hosted-call.ts';
import { openSession } from './open-session.ts';
import type { CallSpec, ToWorker } from './protocol.ts';
import { SessionProviders } from './session-providers.ts';
import { WebConnections } from './web-connections.ts';

/** The calls of one worker thread: turns the main thread's messages into legs and sessions, and their events back. */
export class CallHost {
  readonly #deps: CallHostDeps;
  readonly #connections: WebConnections;
  readonly #providers: SessionProviders;
  readonly #calls = new Map<string, HostedCall>();
  /** Port pairs being bound: the main thread still counts them among its requests in flight. */
  #opening = 0;
  #isStopped = false;

  constructor(deps: CallHostDeps) {
    this.#deps = deps;
    this.#connections = new WebConnections(deps);
    this.#providers = new SessionProviders(deps);
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
        this.#providers.warm(call, message.spec);
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
    this.#calls.set(callId, hostedCall(leg));
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

  #answered(call: HostedCall, spec: CallSpec, at: number): void {
    const loaded = this.#providers.load(spec);
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
      const providers = this.#providers.of(call, spec);
      const session = openSession(this.#deps, call, spec, providers, () => void this.#finish(spec.callId));
      call.session = session;
      session.start(at);
      for (const early of call.early?.splice(0) ?? []) early(session);
    } catch (error) {
      this.#failed(spec, error);
    }
  }

  #failed({ callId }: CallSpec, error: unknown): void {
    this.#deps.log.error({ err: error, callId }, 'a conversation could not begin');
    this.#deps.send({
      type: 'hangup',
      callId,
      reason: 'FAILED',
      failure: failureReason('CONVERSATION_NOT_STARTED'),
    });
    void this.#finish(callId);
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
