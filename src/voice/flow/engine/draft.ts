import { speakable } from '../../prompt/leave-out.ts';
import { coerced, forSpeech, type FlowProgram } from './program.ts';
import type { FlowEffect, FlowState } from './state.ts';
import type { Value } from '../expression.ts';

/** One step under construction. Mutable on purpose: it lives for one call of `step`. */
export class Draft {
  readonly program: FlowProgram;
  readonly effects: FlowEffect[] = [];
  state: FlowState;
  /** Transitions since the agent last spoke. */
  silent = 0;
  /** The node at which the caller's words took no way that their meaning could take; null: none. */
  unsure: string | null = null;
  /** A task has just gone back to its talk. */
  isTaskDone = false;

  constructor(program: FlowProgram, state: FlowState) {
    this.program = program;
    this.state = state;
  }

  change(patch: Partial<FlowState>): void {
    this.state = { ...this.state, ...patch };
  }

  /** Speaks a text of the document; what lacks a value is left out. */
  speak(text: string | undefined): void {
    if (text === undefined) return;
    const { wording } = this.program;
    this.say(speakable(text, forSpeech(this.program, this.state.values), wording.language));
  }

  say(text: string): void {
    if (text.trim() === '') return;
    this.effects.push({ type: 'say', text: text.trim() });
    this.silent = 0;
  }

  /** Sets a variable if the value is one of its type. */
  set(name: string, value: Value | null): void {
    const variable = this.program.variables.get(name);
    const found = variable === undefined || value === null ? null : coerced(variable, value);
    if (found !== null) this.change({ values: { ...this.state.values, [name]: found } });
  }

  moved(from: string, to: string, by: string, alike?: number): void {
    this.silent += 1;
    this.change({ moves: this.state.moves + 1 });
    this.effects.push({ type: 'moved', from, to, by, ...(alike === undefined ? {} : { alike }) });
  }
}
