import {
  type TurnEffect,
  type TurnEvent,
  type TurnSettings,
  type TurnState,
  initialState,
  step,
} from '@callwright/turns';
import type { ProcessorMeter } from './processor-meter.ts';

/** Whatever follows each step of the machine. */
export type StepWatch = (
  event: TurnEvent,
  before: TurnState,
  after: TurnState,
  effects: readonly TurnEffect[],
) => void;

/**
 * Runs the turn machine of one call: an event raised while another is handled is queued, and all effects of an event are
 * carried out before the next event.
 */
export class TurnLoop {
  readonly #perform: (effect: TurnEffect, at: number) => void;
  readonly #watch: StepWatch;
  readonly #onFault: (error: unknown, at: number) => void;
  readonly #meter: ProcessorMeter;
  readonly #queue: TurnEvent[] = [];
  #state: TurnState;
  #isHandling = false;

  constructor(
    settings: TurnSettings,
    on: {
      readonly perform: (effect: TurnEffect, at: number) => void;
      readonly watch: StepWatch;
      readonly onFault: (error: unknown, at: number) => void;
    },
    meter: ProcessorMeter,
  ) {
    this.#state = initialState(settings);
    this.#perform = on.perform;
    this.#watch = on.watch;
    this.#onFault = on.onFault;
    this.#meter = meter;
  }

  get state(): TurnState {
    return this.#state;
  }

  /** Handles the event, or queues it; true: this call handled it. */
  dispatch(event: TurnEvent): boolean {
    this.#queue.push(event);
    if (this.#isHandling) return false;
    this.#isHandling = true;
    this.#meter.enter();
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        const { state, effects } = step(this.#state, next);
        this.#watch(next, this.#state, state, effects);
        this.#state = state;
        for (const effect of effects) this.#perform(effect, next.at);
      }
    } catch (error) {
      // Also events of providers end here: thrown into their callbacks, the error would end the thread.
      this.#queue.length = 0;
      this.#onFault(error, event.at);
    } finally {
      this.#meter.leave();
      this.#isHandling = false;
    }
    return true;
  }

  /** Queues the event before those that wait. */
  insert(event: TurnEvent): void {
    this.#queue.unshift(event);
  }
}
