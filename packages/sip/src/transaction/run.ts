import type { SipMessage, SipRequest } from '../message.ts';
import type { Scheduler } from '../ports.ts';
import { inviteClient, stepInviteClient } from './invite-client.ts';
import { inviteServer, stepInviteServer } from './invite-server.ts';
import { nonInviteClient, stepNonInviteClient } from './non-invite-client.ts';
import { nonInviteServer, stepNonInviteServer } from './non-invite-server.ts';
import type { ClientEvent, ServerEvent, Step, TimerName, Timing, UserEvent } from './types.ts';

interface Actions {
  send(message: SipMessage): void;
  /** Sends a response once more; absent for a client transaction. */
  repeat?(text: string): void;
  toUser(event: UserEvent): void;
  /** Called once, when the machine has terminated. */
  ended(): void;
}

interface Running {
  readonly timer: TimerName;
  readonly stop: () => void;
}

export type ServerActions = Required<Actions>;

/** Runs one pure state machine: holds its state and timers and executes its effects. */
export class TransactionRun<State extends { readonly name: string }, Event> {
  #state: State;
  #stopped = false;
  readonly #step: (state: State, event: Event) => Step<State>;
  readonly #fire: (timer: TimerName) => Event;
  readonly #scheduler: Scheduler;
  readonly #actions: Actions;
  /** Those that run: one or two. */
  #timers: readonly Running[] = [];
  constructor(options: {
    state: State;
    step: (state: State, event: Event) => Step<State>;
    fire: (timer: TimerName) => Event;
    scheduler: Scheduler;
    actions: Actions;
  }) {
    this.#state = options.state;
    this.#step = options.step;
    this.#fire = options.fire;
    this.#scheduler = options.scheduler;
    this.#actions = options.actions;
  }
  dispatch(event: Event): void {
    if (this.#stopped) return;
    const { state, effects } = this.#step(this.#state, event);
    this.#state = state;
    for (const effect of effects) {
      if (effect.kind === 'send') this.#actions.send(effect.message);
      else if (effect.kind === 'repeat') this.#actions.repeat?.(effect.text);
      else if (effect.kind === 'toUser') this.#actions.toUser(effect.event);
      else if (effect.kind === 'cancel') this.#cancel(effect.timer);
      else this.#start(effect.timer, effect.ms);
    }
    if (state.name === 'terminated' && !this.#stopped) this.stop();
  }
  /** Terminates at once; only `ended` is called. */
  stop(): void {
    this.#stopped = true;
    for (const { stop } of this.#timers) stop();
    this.#timers = [];
    this.#actions.ended();
  }
  #start(timer: TimerName, ms: number): void {
    // The TU may have stopped the machine while it handled an earlier effect.
    if (this.#stopped) return;
    this.#cancel(timer);
    const run = (): void => {
      this.#take(timer);
      this.dispatch(this.#fire(timer));
    };
    this.#timers = this.#timers.concat({ timer, stop: this.#scheduler.after(ms, run) });
  }
  #cancel(timer: TimerName): void {
    this.#take(timer)?.stop();
  }
  #take(timer: TimerName): Running | undefined {
    const found = this.#timers.find((running) => running.timer === timer);
    if (found !== undefined) this.#timers = this.#timers.filter((running) => running !== found);
    return found;
  }
}

interface Options {
  readonly reliable: boolean;
  readonly timing: Timing;
  readonly scheduler: Scheduler;
  readonly actions: Actions;
}

/** A running client transaction. */
export interface ClientRun {
  dispatch(event: ClientEvent): void;
  stop(): void;
}
/** A running server transaction. */
export interface ServerRun {
  dispatch(event: ServerEvent): void;
  stop(): void;
}

const fire = (timer: TimerName): { kind: 'timer'; timer: TimerName } => ({ kind: 'timer', timer });

export function createClientRun(options: Options & { readonly request: SipRequest }): ClientRun {
  const { request, reliable, timing, scheduler, actions } = options;
  const frame = { request, reliable, timing };
  return request.method === 'INVITE'
    ? new TransactionRun({ state: inviteClient(frame), step: stepInviteClient, fire, scheduler, actions })
    : new TransactionRun({
        state: nonInviteClient(frame),
        step: stepNonInviteClient,
        fire,
        scheduler,
        actions,
      });
}

/** `method`: of the request. */
export function createServerRun(
  options: Options & { readonly method: string; readonly actions: ServerActions },
): ServerRun {
  const { method, reliable, timing, scheduler, actions } = options;
  const frame = { reliable, timing };
  return method === 'INVITE'
    ? new TransactionRun({ state: inviteServer(frame), step: stepInviteServer, fire, scheduler, actions })
    : new TransactionRun({
        state: nonInviteServer(frame),
        step: stepNonInviteServer,
        fire,
        scheduler,
        actions,
      });
}
