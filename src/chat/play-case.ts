import type { PlayedTurn } from '../store/json/test-case.ts';
import { CannedResults } from '../domain/test-cases/canned-results.ts';
import type { CaseToPlay, PlayCase, PlayedCase } from '../domain/test-cases/play-case.ts';
import { conversationPhrases, optOutSense } from '@callwright/language';
import type { Clock } from '../shared/clock.ts';
import { HAND_OVER } from '../shared/hand-over.ts';
import { newId } from '../shared/ids.ts';
import { NO_ENGINE, type SpokenBy } from '../shared/spoken-by.ts';
import { goesOnAfterIntro } from '../providers/ports/open-brain.ts';
import type { ToolSpec } from '../providers/ports/model.ts';
import type { Db } from '../store/database.ts';
import { TURN_MS, type OpenAgent, type OpenedAgent, type OpenOptions } from './chat-turns.ts';
import { DRY } from './tool-journal.ts';
import { TurnRefused, type TurnGate } from './turn-gate.ts';
import {
  NEW_TALK,
  takeTurn,
  toolUses,
  type Talk,
  type ToolResult,
  type Turn,
  type TurnParts,
} from './turn.ts';

interface PlayDeps {
  readonly clock: Clock;
  readonly openAgent: OpenAgent;
  readonly db: Db;
  readonly gate: TurnGate;
}

/** Tools without an effect outside the conversation; they run in any case. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['lookup_knowledge', 'schedule_callback', HAND_OVER]);
/** Stub results of phone tools, by kind: a test run has no phone line. */
const OF_THE_LINE: Readonly<Partial<Record<NonNullable<ToolSpec['kind']>, ToolResult>>> = {
  transfer: { ok: true, result: { status: 'connected' } },
  send_keys: { ok: true, result: { status: 'sent' } },
  wait_for_keys: { ok: false, result: { error: 'the caller pressed no keys' } },
};
const RECORDING: ReadonlyMap<string, ToolResult> = new Map([
  ['pause_recording', { ok: true, result: { status: 'paused' } }],
  ['resume_recording', { ok: true, result: { status: 'recording' } }],
]);

/**
 * Plays a test case: the agent talks with the rules and tools of a call, one of WhatsApp with those of a chat, and the
 * lines of the case are the words of the caller.
 */
export const casePlayer =
  (deps: PlayDeps): PlayCase =>
  async (played, signal) => {
    const { definition, agent } = played;
    const values = definition.customArgsValues;
    const party = {
      id: newId(),
      workspaceId: played.workspaceId,
      agentId: agent.id,
      agentName: agent.name,
      customerNumber: values['mobile_number'] ?? null,
      channel: 'test' as const,
    };
    const variables = { callee_name: '', mobile_number: '', ...values };
    const opened = await deps.openAgent(party, played.config, variables, optionsOf(played));
    try {
      return await new PlayedTalk(deps, played, opened, signal).play();
    } finally {
      opened.close();
    }
  };

function optionsOf({ agent, runsTools, onModelFailure }: CaseToPlay): OpenOptions {
  const isFirst = runsTools;
  const how = { isFirst, onModelFailure };
  if (agent.type === 'whatsapp') return how;
  return { ...how, line: agent.type === 'inbound' ? 'inbound' : 'outbound' };
}

class PlayedTalk {
  readonly #deps: PlayDeps;
  readonly #played: CaseToPlay;
  readonly #agent: OpenedAgent;
  readonly #signal: AbortSignal;
  readonly #canned: CannedResults;
  readonly #turns: PlayedTurn[] = [];
  #talk: Talk = NEW_TALK;
  #end: string | null = null;
  #failure: string | null = null;

  constructor(deps: PlayDeps, played: CaseToPlay, agent: OpenedAgent, signal: AbortSignal) {
    this.#deps = deps;
    this.#played = played;
    this.#agent = agent;
    this.#signal = signal;
    this.#canned = new CannedResults(played.definition.toolResults);
  }

  async play(): Promise<PlayedCase> {
    await this.#open();
    for (const line of this.#played.definition.lines) {
      if (this.#end !== null || this.#failure !== null) break;
      await this.#take(line);
    }
    return { turns: this.#turns, end: this.#end, failure: this.#failure };
  }

  /** The agent's first message, or a generated one if it has none. */
  async #open(): Promise<void> {
    const { context } = this.#agent;
    const { introMessage } = context;
    if (introMessage === '') return this.#take(null);
    if (goesOnAfterIntro(context)) return this.#take(null, introMessage);
    this.#talk = { ...NEW_TALK, history: [{ role: 'agent', text: introMessage, interrupted: false }] };
    this.#turns.push({
      line: null,
      said: [introMessage],
      tools: [],
      usage: [],
      spokenBy: NO_ENGINE,
      end: null,
      ms: 0,
    });
  }

  /** `first`: the first message of a flow, which goes on to its first question. */
  async #take(line: string | null, first?: string): Promise<void> {
    if (first !== undefined)
      this.#talk = { ...this.#talk, history: [{ role: 'agent', text: first, interrupted: false }] };
    const { clock } = this.#deps;
    const from = clock.monotonic();
    const turn = await this.#paidTurn(line === null ? [] : [line]);
    if (turn === null) return;
    const played = toTurn(line, turn, Math.round(clock.monotonic() - from));
    this.#turns.push(first === undefined ? played : { ...played, said: [first, ...played.said] });
    this.#talk = turn.talk;
    this.#end = turn.end;
    if (turn.talk.failures === 0) return;
    const where = line === null ? 'the first message' : `line ${this.#turns.length - 1}`;
    this.#failure = this.#signal.aborted ? 'The conversation took too long.' : noAnswer(where, turn.spokenBy);
  }

  /** Null, with a failure, if balance or caps of the workspace refuse the turn. */
  async #paidTurn(lines: readonly string[]): Promise<Turn | null> {
    const { db, gate } = this.#deps;
    const { workspaceId, agent } = this.#played;
    try {
      const admitted = await gate.admitTest(workspaceId, agent.id);
      return await gate.orRelease(admitted, async () => {
        const turn = await takeTurn({ ...this.#parts(), maxRounds: admitted.turns }, this.#talk, lines);
        await db.transaction().execute((tx) => gate.settle(tx, admitted, turn.rounds));
        return turn;
      });
    } catch (error) {
      if (!(error instanceof TurnRefused)) throw error;
      this.#failure = error.answer.message;
      return null;
    }
  }

  #parts(): TurnParts {
    const { context, llm } = this.#agent;
    const { tools } = this.#agent;
    const specOf = (name: string): ToolSpec | undefined => tools.specs.find((tool) => tool.name === name);
    return {
      llm,
      optOut: optOutSense(context),
      runTool: (name, args) => this.#runTool(name, specOf(name), args),
      isTransfer: (name) => specOf(name)?.kind === 'transfer',
      sensitive: (name) => specOf(name)?.sensitive,
      phrases: conversationPhrases(context.language).phrases,
      now: () => this.#deps.clock.now(),
      onModelFailure: 'stop',
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(TURN_MS)]),
    };
  }

  async #runTool(
    name: string,
    spec: ToolSpec | undefined,
    args: Record<string, unknown>,
  ): Promise<ToolResult> {
    const canned = this.#canned.take(name, args);
    if (canned !== null) {
      const { ok = true, result, variables } = canned;
      return { ok, result, ...(variables === undefined ? {} : { variables }) };
    }
    const ofTheLine = spec?.kind === undefined ? RECORDING.get(name) : OF_THE_LINE[spec.kind];
    if (ofTheLine !== undefined) return ofTheLine;
    const isRun = this.#played.runsTools || WITHOUT_EFFECT.has(name);
    return isRun ? this.#agent.tools.run(name, args) : DRY;
  }
}

/** Names the vendor and what it answered. */
function noAnswer(where: string, { faults }: SpokenBy): string {
  const last = faults.at(-1);
  return `The language model gave no answer to ${where}${last === undefined ? '' : `: ${last.message}`}.`;
}

const toTurn = (line: string | null, turn: Turn, ms: number): PlayedTurn => ({
  line,
  said: turn.said,
  tools: toolUses(turn.toolLog),
  usage: turn.usage,
  spokenBy: turn.spokenBy,
  end: turn.end,
  ms,
});
