import type { CallSpec } from '../../session/protocol.ts';
import { stepCaller } from '../caller/caller.ts';
import { habitWords } from '../caller/habit-words.ts';
import {
  initialCaller,
  type CallerAct,
  type CallerEvent,
  type CallerState,
  type Piece,
} from '../caller/state.ts';
import type { Scenario } from '../scenario/document.ts';
import type { CallerSound } from './rehearsal.ts';

/** A callee says hello so long after picking up; a mailbox begins its greeting. */
const HELLO_MS = 300;
const BEEP_AFTER_MS = 600;
/** A screened person picks up so long after the introduction. */
const PICK_UP_MS = 2_500;
const MAILBOX =
  'Hello, you have reached the voicemail of this number. Please leave a message after the tone.';
const SCREENER =
  'Please say your name and the reason for your call, and I will see if this person is available.';

/** The tone of a mailbox. */
export const BEEP = { hz: 1_000, ms: 500 } as const;

interface FarSideDeps {
  readonly scenario: Scenario;
  readonly spec: CallSpec;
  readonly seed: number;
  /** Ms after the answer. */
  readonly elapsed: () => number;
  readonly later: (afterMs: number, run: () => void) => void;
  /** Speaks from now on; `onEnd` is called when it is over. */
  readonly say: (kind: CallerSound['kind'], pieces: readonly Piece[], onEnd: () => void) => void;
  readonly beep: () => void;
  readonly hangUp: () => void;
}

/** Who is at the other end of a rehearsed call, a person or a machine: what it says and when, whatever carries the words. */
export class FarSide {
  readonly #deps: FarSideDeps;
  #caller: CallerState;
  /** False while a machine has the call. */
  #isPerson: boolean;
  #isOver = false;

  constructor(deps: FarSideDeps) {
    this.#deps = deps;
    const { scenario, spec, seed } = deps;
    const { persona } = scenario;
    this.#caller = initialCaller({ persona, seed, language: scenario.language ?? spec.agent.language });
    this.#isPerson = (persona.answered_by ?? 'person') === 'person';
  }

  get language(): CallerState['settings']['language'] {
    return this.#caller.settings.language;
  }

  answered(): void {
    const { scenario, spec, later, say, beep } = this.#deps;
    const { persona } = scenario;
    if (this.#isPerson) {
      if (spec.direction === 'outbound') later(HELLO_MS, () => this.#greet());
      return;
    }
    const isMailbox = persona.answered_by === 'voicemail';
    const text = persona.greeting ?? (isMailbox ? MAILBOX : SCREENER);
    later(HELLO_MS, () =>
      say('machine', [{ text, pauseMs: 0 }], () => {
        if (isMailbox) later(BEEP_AFTER_MS, beep);
      }),
    );
  }

  /** A sentence of the agent begins; it lasts `ms`. */
  agentStarted(text: string, ms: number): void {
    this.#notice({ type: 'agent_started', text, ms, at: this.#deps.elapsed() });
  }

  agentEnded(isCut: boolean): void {
    if (!this.#isPerson && this.#deps.scenario.persona.answered_by === 'screening') {
      this.#isPerson = true;
      this.#deps.later(PICK_UP_MS, () => this.#greet());
      return;
    }
    this.#notice({ type: 'agent_ended', isCut, at: this.#deps.elapsed() });
  }

  /** The call is over: nothing follows. */
  stop(): void {
    this.#isOver = true;
  }

  #greet(): void {
    const { hello } = habitWords(this.language);
    this.#deps.say('greeting', [{ text: hello, pauseMs: 0 }], () => undefined);
  }

  #notice(event: CallerEvent): void {
    if (!this.#isPerson || this.#isOver) return;
    const { state, acts } = stepCaller(this.#caller, event);
    this.#caller = state;
    for (const act of acts) this.#perform(act);
  }

  #perform(act: CallerAct): void {
    const { elapsed, later, say, hangUp } = this.#deps;
    switch (act.type) {
      case 'say':
        say(act.kind, act.pieces, () => this.#notice({ type: 'spoke', at: elapsed() }));
        return;
      case 'wake':
        later(act.afterMs, () => this.#notice({ type: 'due', timer: act.timer, at: elapsed() }));
        return;
      case 'hang_up':
        hangUp();
        return;
      default:
        act satisfies never;
    }
  }
}
