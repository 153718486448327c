import type { SipMessage } from '../message.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Step, TimerName, UserEvent } from './types.ts';

interface Actions {
  send(message: SipMessage): void;
  toUser(event: UserEvent): void;
  /** Called once, when the machine has reached its end. */
  ended(): void;
}

/** Runs one pure machine: keeps its state, its timers, and carries out its effects. */
export class TransactionRun<State extends { readonly name: string }, Event> {
  #state: State;
  #stopped = false;
  readonly #step: (state: State, event: Event) => Step<State>;
  readonly #fire: (timer: TimerName) => Event;
  readonly #scheduler: Scheduler;
  readonly #actions: Actions;
  readonly #timers = new Map<TimerName, () => void>();
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
      else if (effect.kind === 'toUser') this.#actions.toUser(effect.event);
      else if (effect.kind === 'cancel') this.#cancel(effect.timer);
      else this.#start(effect.timer, effect.ms);
    }
    if (state.name === 'terminated' && !this.#stopped) this.stop();
  }
  /** Ends at once, without a word to anybody but the owner. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.keys()) this.#cancel(timer);
    this.#actions.ended();
  }
  #start(timer: TimerName, ms: number): void {
    // What the user did on hearing of an event may have stopped the machine.
    if (this.#stopped) return;
    this.#cancel(timer);
    const run = (): void => {
      this.#timers.delete(timer);
      this.dispatch(this.#fire(timer));
    };
    this.#timers.set(timer, this.#scheduler.after(ms, run));
  }
  #cancel(timer: TimerName): void {
    this.#timers.get(timer)?.();
    this.#timers.delete(timer);
  }
}
