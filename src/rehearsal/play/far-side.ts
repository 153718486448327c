import {
  refusedLine,
  type CallerLine,
  type CallerLines,
  type LineRefusal,
} from '../../domain/rehearsals/caller-lines.ts';
import type { CallSpec } from '../../session/protocol.ts';
import { stepCaller } from '../caller/caller.ts';
import { habitWords } from '../caller/habit-words.ts';
import { callerInstructions, lineRequest, mostLines, type Spoken } from '../caller/model-request.ts';
import {
  initialCaller,
  type CallerAct,
  type CallerEvent,
  type CallerState,
  type Piece,
} from '../caller/state.ts';
import type { Scenario } from '../scenario/document.ts';
import type { CallerSound, PlayedLines } from './rehearsal.ts';

/** A callee says hello so long after picking up; a mailbox begins its greeting. */
const HELLO_MS = 300;
const BEEP_AFTER_MS = 600;
/** A screened person picks up so long after the introduction. */
const PICK_UP_MS = 2_500;
/** A caller who has had enough hangs up so long after its words. */
const LEAVE_MS = 400;
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
  /** A model words the lines; absent: the rules do. */
  readonly model?: ModelVoice;
}

/** Where the words of a caller come from whose lines a model words. */
export interface ModelVoice {
  readonly lines: CallerLines;
  /** The clock stands still until the returned function is called. */
  readonly stop: () => () => void;
  readonly onFault: (error: unknown) => void;
}

type SayAct = Extract<CallerAct, { type: 'say' }>;

/** Who is at the other end of a rehearsed call, a person or a machine: what it says and when, whatever carries the words. */
export class FarSide {
  readonly #deps: FarSideDeps;
  #caller: CallerState;
  /** False while a machine has the call. */
  #isPerson: boolean;
  #isOver = false;
  readonly #instructions: string;
  readonly #talk: Spoken[] = [];
  #asked = 0;
  #byModel = 0;
  readonly #refused: { readonly at: number; readonly reason: LineRefusal }[] = [];

  constructor(deps: FarSideDeps) {
    this.#deps = deps;
    const { scenario, spec, seed } = deps;
    const { persona } = scenario;
    this.#caller = initialCaller({ persona, seed, language: scenario.language ?? spec.agent.language });
    this.#instructions = deps.model === undefined ? '' : callerInstructions(this.#caller.settings, scenario);
    this.#isPerson = (persona.answered_by ?? 'person') === 'person';
  }

  get language(): CallerState['settings']['language'] {
    return this.#caller.settings.language;
  }

  /** What a model said, and where the rules stood in. */
  get lines(): PlayedLines {
    return { byModel: this.#byModel, refused: this.#refused };
  }

  answered(): void {
    const { scenario, spec, later, beep } = this.#deps;
    const { persona } = scenario;
    if (this.#isPerson) {
      if (spec.direction === 'outbound') later(HELLO_MS, () => this.#greet());
      return;
    }
    const isMailbox = persona.answered_by === 'voicemail';
    const text = persona.greeting ?? (isMailbox ? MAILBOX : SCREENER);
    later(HELLO_MS, () =>
      this.#say('machine', [{ text, pauseMs: 0 }], () => {
        if (isMailbox) later(BEEP_AFTER_MS, beep);
      }),
    );
  }

  /** A sentence of the agent begins; it lasts `ms`. */
  agentStarted(text: string, ms: number): void {
    this.#talk.push({ speaker: 'agent', text });
    this.#notice({ type: 'agent_started', text, ms, at: this.#deps.elapsed() });
  }

  agentEnded(isCut: boolean): void {
    const last = this.#talk.findLastIndex(({ speaker }) => speaker === 'agent');
    if (isCut && last >= 0) this.#talk[last] = { ...this.#talk[last]!, cut: true };
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
    this.#say('greeting', [{ text: hello, pauseMs: 0 }], () => undefined);
  }

  #say(kind: CallerSound['kind'], pieces: readonly Piece[], onEnd: () => void): void {
    this.#talk.push({ speaker: 'caller', text: pieces.map(({ text }) => text).join(' ') });
    this.#deps.say(kind, pieces, onEnd);
  }

  /** Says what the model words, or the words of the rules. */
  #word(act: SayAct, { lines, stop, onFault }: ModelVoice): void {
    const { scenario, later } = this.#deps;
    let line = refusedLine('too_many');
    if (this.#asked < mostLines(scenario.persona)) {
      this.#asked += 1;
      const go = stop();
      lines
        .line(lineRequest(this.#instructions, this.#talk, act.manners ?? []))
        .then((found) => {
          line = found;
        }, onFault)
        .finally(go);
    }
    // Queued now, so that its place among other work of this moment does not depend on when the line comes.
    later(0, () => this.#speak(act, line));
  }

  #speak({ kind, pieces }: SayAct, { text, hangsUp, refused }: CallerLine): void {
    if (this.#isOver) return;
    const { elapsed, later, hangUp } = this.#deps;
    if (text === null) this.#refused.push({ at: elapsed(), reason: refused ?? 'empty' });
    else this.#byModel += 1;
    this.#say(kind, text === null ? pieces : [{ text, pauseMs: 0 }], () => {
      this.#notice({ type: 'spoke', at: elapsed() });
      if (!hangsUp) return;
      later(LEAVE_MS, () => {
        if (!this.#isOver) hangUp();
      });
    });
  }

  #notice(event: CallerEvent): void {
    if (!this.#isPerson || this.#isOver) return;
    const { state, acts } = stepCaller(this.#caller, event);
    this.#caller = state;
    for (const act of acts) this.#perform(act);
  }

  #perform(act: CallerAct): void {
    const { elapsed, later, hangUp, model } = this.#deps;
    switch (act.type) {
      case 'say':
        if (act.manners !== undefined && model !== undefined) return this.#word(act, model);
        this.#say(act.kind, act.pieces, () => this.#notice({ type: 'spoke', at: elapsed() }));
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
