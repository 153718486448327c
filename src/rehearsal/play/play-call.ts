import type { EndReason, TurnEvent } from '@callwright/turns';
import { openBrain } from '../../providers/ports/open-brain.ts';
import type { LlmProvider } from '../../providers/ports/model.ts';
import { NO_LINES, type CallerLines } from '../../domain/rehearsals/caller-lines.ts';
import type { CallSpec } from '../../session/protocol.ts';
import { answerSettings, conversationSettings, talkOf } from '../../session/settings.ts';
import { paceOf, type Piece } from '../caller/state.ts';
import type { Scenario } from '../scenario/document.ts';
import { delayedModel } from './delayed-model.ts';
import { BEEP, FarSide } from './far-side.ts';
import { AgentLine } from './line.ts';
import { WhoAnswers } from './machine.ts';
import { Mocks } from './mocks.ts';
import { Mouth } from './mouth.ts';
import { TimeQueue } from './queue.ts';
import type { CallerSound, PlayedCall } from './rehearsal.ts';
import type { Timing } from './timing.ts';
import { virtualVoice } from './virtual-voice.ts';

/** The agent that is rehearsed: what a call would freeze of it, and its model. */
export interface RehearsedAgent {
  readonly spec: CallSpec;
  readonly llm: LlmProvider;
}

export interface CallToPlay {
  readonly agent: RehearsedAgent;
  readonly scenario: Scenario;
  readonly seed: number;
  readonly timing: Timing;
  /** For a caller whose lines a model words; absent: the rules stand in. */
  readonly lines?: CallerLines;
}

/** Monday, 5 January 2026, 10:00 UTC: every rehearsed call begins then, so that days and times in words have one meaning. */
export const REHEARSED_AT = Date.UTC(2026, 0, 5, 10);
/** The limit of a call whose scenario has none. */
export const MOST_SECONDS = 180;
const MOST_EVENTS = 20_000;
const TICK_MS = 100;
/**
 * Plays one call by text in virtual time: the whole conversation of a phone call except sound. The same input, the same call: of a caller
 * whose lines a model words, with the same lines. Rejects when a line cannot be had.
 */
export function playCall(call: CallToPlay): Promise<PlayedCall> {
  return new PlayingCall(call).run();
}

class PlayingCall {
  readonly #call: CallToPlay;
  readonly #queue = new TimeQueue();
  readonly #line: AgentLine;
  readonly #mouth: Mouth;
  readonly #far: FarSide;
  readonly #sounds: CallerSound[] = [];
  readonly #settings: PlayedCall['settings'];
  #answers: WhoAnswers | null = null;
  #now = REHEARSED_AT;
  #stops = 0;
  #wake: () => void = () => undefined;
  #end: PlayedCall['end'] = null;
  #failure: string | null = null;
  #fault: { readonly error: unknown } | null = null;

  constructor(call: CallToPlay) {
    this.#call = call;
    const { agent, scenario, seed, timing, lines = NO_LINES } = call;
    const { persona } = scenario;
    const variables = { ...agent.spec.variables, ...scenario.variables };
    const spec: CallSpec = { ...agent.spec, variables };
    const { context } = talkOf(spec, { understands: () => true }, 8_000);
    const clock = {
      seed,
      timing,
      now: () => this.#now,
      at: (time: number, run: () => void) => this.#queue.add(Math.max(time, this.#now), run),
      stop: () => this.#stop(),
    };
    const llm = delayedModel(openBrain(agent.llm, context, clock.now), clock);
    this.#settings = conversationSettings(spec, context, llm);
    const speed = spec.agent.voiceSpeed;
    this.#line = new AgentLine({
      settings: this.#settings,
      context,
      llm,
      tts: virtualVoice(clock, speed),
      mocks: new Mocks(scenario.tools ?? [], scenario.state ?? {}),
      startedAt: REHEARSED_AT,
      speed,
      now: clock.now,
      at: clock.at,
      onStarted: (text, ms) => this.#far.agentStarted(text, ms),
      onEnded: (isCut) => this.#agentEnded(isCut),
      onHangup: (reason) => this.#hangup(reason),
      onFault: (error) => {
        this.#failure = error instanceof Error ? error.message : String(error);
      },
    });
    this.#far = new FarSide({
      scenario,
      spec,
      seed,
      elapsed: () => this.#elapsed(),
      later: (afterMs, run) => this.#queue.add(this.#now + afterMs, run),
      say: (kind, pieces, onEnd) => this.#say(kind, pieces, onEnd),
      beep: () =>
        this.#queue.add(this.#now + BEEP.ms, () =>
          this.#answers?.step({ type: 'tone', ...BEEP, at: this.#now }),
        ),
      hangUp: () => {
        this.#line.feed({ type: 'remote_hangup', at: this.#now });
        this.#hangup('USER_LEFT');
      },
      ...(persona.lines === 'model'
        ? {
            model: {
              lines,
              stop: clock.stop,
              onFault: (error) => {
                this.#fault = { error };
              },
            },
          }
        : {}),
    });
    this.#mouth = new Mouth({
      ...clock,
      noise: persona.noise ?? 'quiet',
      speed: paceOf(persona),
      feed: (event) => this.#heard(event),
    });
    const machine = answerSettings(spec, llm.introduces);
    if (machine !== null)
      this.#answers = new WhoAnswers(machine, REHEARSED_AT, (event) => this.#line.feed(event));
    clock.at(REHEARSED_AT, () => this.#answered());
  }

  async run(): Promise<PlayedCall> {
    const until = REHEARSED_AT + (this.#call.scenario.most_seconds ?? MOST_SECONDS) * 1_000;
    while (this.#end === null && this.#failure === null && this.#now < until) {
      if (this.#stops > 0) await this.#resumed();
      if (this.#fault !== null) break;
      this.#step(until);
      if (this.#line.events.length > MOST_EVENTS)
        this.#failure = `the call has more than ${MOST_EVENTS} events`;
    }
    this.#line.stop();
    if (this.#fault !== null) throw this.#fault.error;
    const isByModel = this.#call.scenario.persona.lines === 'model';
    return {
      seed: this.#call.seed,
      settings: this.#settings,
      events: this.#line.events,
      agent: this.#line.sounds,
      caller: this.#sounds,
      tools: this.#line.tools,
      ...(isByModel ? { lines: this.#far.lines } : {}),
      end: this.#end,
      failure: this.#failure,
    };
  }

  /** Plays up to the next event, and handles it. */
  #step(until: number): void {
    const { nextAt } = this.#queue;
    const { wakeAt } = this.#line;
    const next = Math.min(nextAt, Math.max(wakeAt, this.#now), until);
    const played = this.#line.play(next);
    if (played !== null) {
      this.#now = played;
      return this.#line.played();
    }
    this.#now = Math.max(this.#now, next);
    if (wakeAt <= this.#now && wakeAt < nextAt) return this.#line.feed({ type: 'wake', at: this.#now });
    if (nextAt <= this.#now) this.#queue.take()?.();
    return undefined;
  }

  #elapsed(): number {
    return this.#now - REHEARSED_AT;
  }

  #stop(): () => void {
    this.#stops += 1;
    return () => {
      this.#stops -= 1;
      this.#wake();
    };
  }

  #resumed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        if (this.#stops === 0) resolve();
      };
      this.#wake();
    });
  }

  #answered(): void {
    this.#line.feed({ type: 'answered', at: this.#now });
    if (this.#answers !== null) this.#tick();
    this.#far.answered();
  }

  #tick(): void {
    if (this.#answers?.isOpen !== true) return;
    this.#answers.step({ type: 'tick', at: this.#now });
    this.#queue.add(this.#now + TICK_MS, () => this.#tick());
  }

  #heard(event: TurnEvent): void {
    this.#answers?.heard(event);
    this.#line.feed(event);
  }

  #agentEnded(isCut: boolean): void {
    this.#answers?.step({ type: 'spoken', at: this.#now });
    this.#far.agentEnded(isCut);
  }

  #say(kind: CallerSound['kind'], pieces: readonly Piece[], onEnd: () => void): void {
    const from = this.#elapsed();
    const to = this.#mouth.say(pieces, onEnd);
    const text = pieces.map((piece) => piece.text).join(' ');
    this.#sounds.push({ kind, text, from, to: to - REHEARSED_AT });
  }

  #hangup(reason: EndReason): void {
    this.#far.stop();
    this.#end ??= { reason, at: this.#elapsed() };
  }
}
