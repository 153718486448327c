import { matchesArguments } from '../../domain/test-cases/matches-arguments.ts';
import type { ToolMock } from '../scenario/document.ts';

export interface MockAnswer {
  readonly ok: boolean;
  readonly result: unknown;
  readonly variables?: Readonly<Record<string, string>>;
  readonly ms: number;
}

const USUAL_MS = 300;
const UNKNOWN = { ok: false, result: { error: 'the rehearsal has no answer for this tool' }, ms: USUAL_MS };

/** The tools of one call in rehearsal: answers that fit arguments and state, and that may change the state. */
export class Mocks {
  readonly #mocks: readonly ToolMock[];
  #state: Readonly<Record<string, unknown>>;

  constructor(mocks: readonly ToolMock[], state: Readonly<Record<string, unknown>>) {
    this.#mocks = mocks;
    this.#state = state;
  }

  /** The first answer that fits; what it leaves in the state holds for later calls. */
  answer(tool: string, args: Readonly<Record<string, unknown>>): MockAnswer {
    const mock = this.#mocks.find(
      (each) =>
        each.tool === tool &&
        matchesArguments(each.arguments, args) &&
        matchesArguments(each.needs, this.#state),
    );
    if (mock === undefined) return UNKNOWN;
    this.#state = { ...this.#state, ...mock.leaves };
    const { ok = true, result, variables, takes_ms: ms = USUAL_MS } = mock;
    return { ok, result, ms, ...(variables === undefined ? {} : { variables }) };
  }
}
