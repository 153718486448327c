import {
  NO_USE,
  sameName,
  type AgentName,
  type AudioUse,
  type HandedOver,
  type Part,
  type PartName,
  type TurnMeasure,
  type VendorUse,
} from '../voice/measures.ts';
import { sourceOf } from '../shared/spoken-by.ts';
import type { ModelUsage, Replier } from '../providers/ports/model.ts';
import type { TranscriptLine } from '@callwright/turns';
import { heardByAgent, type Ears } from './heard-by-agent.ts';

type Open = { -readonly [K in keyof TurnMeasure]: TurnMeasure[K] };

/** Null: not reported. */
type Used = { readonly [K in keyof typeof NO_USE]?: number | null };

/**
 * Measures each turn and the whole call. A reply belongs to the turn it was requested for: turn 0 is what the agent says
 * before the caller's first one.
 */
export class TurnMeasures {
  readonly #turns = new Map<number, Open>();
  readonly #turnOf = new Map<number, number>();
  /** The agent of a reply; null: the first one. */
  readonly #agentOf = new Map<number, AgentName | null>();
  readonly #handovers: HandedOver[] = [];
  /** What had been heard when each agent handed the call over. */
  readonly #earlier: Ears[] = [];
  readonly #uses: VendorUse[] = [];
  /** Turns that have changed since the last `changes`. */
  readonly #changed = new Set<number>();
  #current = 0;
  readonly #speaker: PartName;

  /** `speaker`: the voice that speech is counted for when no vendor charges for it. */
  constructor(speaker: PartName) {
    this.#speaker = speaker;
  }

  /** A reply is requested for this turn from `llm`. */
  asked(replyId: number, turn: number, llm: PartName): void {
    this.#turnOf.set(replyId, turn);
    this.#agentOf.set(replyId, this.#holder);
    this.#change(turn).llm = llm;
  }

  /** An engine gives the reply, or its first words. */
  repliedBy(replyId: number, by: Replier): void {
    const turn = this.#change(this.#turn(replyId));
    this.#agentOf.set(replyId, by.agent ?? null);
    turn.llm = { vendor: by.vendor, model: by.model };
    turn.spokenBy = sourceOf(by);
  }

  /** The turn of a reply; one that was not requested from the model belongs to the last turn. */
  answered(replyId: number, use: ModelUsage): void {
    const turn = this.#change(this.#turn(replyId));
    turn.llm = { vendor: use.vendor, model: use.model };
    turn.inputTokens += use.inputTokens ?? 0;
    turn.cachedTokens += use.cachedTokens ?? 0;
    turn.outputTokens += use.outputTokens ?? 0;
    this.#use('llm', use, use, this.#agent(replyId));
  }

  /** A sentence is spoken; `by` null: by the call's own speaker. */
  spoken(replyId: number, characters: number, by: PartName | null): void {
    const tts = by ?? this.#speaker;
    const turn = this.#change(this.#turn(replyId));
    turn.characters += characters;
    turn.tts = tts;
    this.#use('tts', tts, { characters }, this.#agent(replyId));
  }

  /** The first audio of a sentence came `ms` after its request. */
  sounded(replyId: number, ms: number): void {
    const turn = this.#turns.get(this.#turn(replyId));
    if (turn === undefined || turn.firstAudioMs !== null) return;
    this.#changed.add(turn.turn);
    turn.firstAudioMs = Math.max(0, Math.round(ms));
  }

  /** The reply to this turn is heard. */
  began(turn: number, stt: PartName | null): void {
    this.#current = turn;
    this.#change(turn).stt = stt === null ? null : { vendor: stt.vendor, model: stt.model };
  }

  /** A line of the agent, as far as it was heard. */
  heard({ text, startedAt }: TranscriptLine): void {
    const turn = this.#change(this.#current);
    turn.heardCharacters += text.length;
    turn.lines = [...turn.lines, startedAt];
  }

  /** The turns that have changed since the last call. */
  changes(): readonly TurnMeasure[] {
    const turns = [...this.#changed].flatMap((number) => {
      const turn = this.#turns.get(number);
      return turn === undefined ? [] : [{ ...turn }];
    });
    this.#changed.clear();
    return turns;
  }

  all(): readonly TurnMeasure[] {
    return [...this.#turns.values()].map((turn) => ({ ...turn }));
  }

  /** From `at` on, `agent` has the call. `heard`: what recognisers have heard until then. */
  handedOver(agent: AgentName, at: number, heard: readonly AudioUse[]): void {
    this.#earlier.push({ agent: this.#holder, heard });
    this.#handovers.push({ agent, at });
  }

  get handovers(): readonly HandedOver[] {
    return this.#handovers;
  }

  /** What the call used so far, of each model; after a handover, by each agent. */
  usage(heard: readonly AudioUse[]): readonly VendorUse[] {
    return [...heardByAgent([...this.#earlier, { agent: this.#holder, heard }]), ...this.#uses];
  }

  /** The agent that has the call; null: the first one. */
  get #holder(): AgentName | null {
    return this.#handovers.at(-1)?.agent ?? null;
  }

  #agent(replyId: number): AgentName | null {
    const agent = this.#agentOf.get(replyId);
    return agent === undefined ? this.#holder : agent;
  }

  #turn(replyId: number): number {
    return this.#turnOf.get(replyId) ?? this.#current;
  }

  #change(turn: number): Open {
    this.#changed.add(turn);
    let open = this.#turns.get(turn);
    if (open === undefined) {
      open = {
        turn,
        stt: null,
        llm: null,
        tts: null,
        firstAudioMs: null,
        inputTokens: 0,
        cachedTokens: 0,
        outputTokens: 0,
        characters: 0,
        heardCharacters: 0,
        lines: [],
      };
      this.#turns.set(turn, open);
    }
    return open;
  }

  #use(part: Part, { vendor, model }: PartName, used: Used, agent: AgentName | null): void {
    const index = this.#uses.findIndex(
      (use) => use.part === part && sameName(use, { vendor, model }) && use.agent?.id === agent?.id,
    );
    const by = agent === null ? {} : { agent };
    const before = this.#uses[index] ?? { part, vendor, model, ...by, ...NO_USE };
    const sum = {
      ...before,
      inputTokens: before.inputTokens + (used.inputTokens ?? 0),
      cachedTokens: before.cachedTokens + (used.cachedTokens ?? 0),
      outputTokens: before.outputTokens + (used.outputTokens ?? 0),
      characters: before.characters + (used.characters ?? 0),
    };
    if (index < 0) this.#uses.push(sum);
    else this.#uses[index] = sum;
  }
}
