import type { EndReason, TurnEvent } from '@callwright/turns';
import { openBrain } from '../../providers/ports/open-brain.ts';
import type { LlmProvider } from '../../providers/ports/model.ts';
import type { CallSpec } from '../../session/protocol.ts';
import { answerSettings, conversationSettings, talkOf } from '../../session/settings.ts';
import { stepCaller } from '../caller/caller.ts';
import { habitWords } from '../caller/habit-words.ts';
import { initialCaller, mannersOf, type CallerAct, type CallerEvent } from '../caller/state.ts';
import type { Scenario } from '../scenario/document.ts';
import { delayedModel } from './delayed-model.ts';
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
}

/** Monday, 5 January 2026, 10:00 UTC: every rehearsed call begins then, so that days and times in words have one meaning. */
export const REHEARSED_AT = Date.UTC(2026, 0, 5, 10);
const MOST_SECONDS = 180;
const MOST_EVENTS = 20_000;
/** A callee says hello so long after picking up; a mailbox begins its greeting. */
const HELLO_MS = 300;
const BEEP = { afterMs: 600, hz: 1_000, ms: 500 } as const;
/** A screened person picks up so long after the introduction. */
const PICK_UP_MS = 2_500;
const TICK_MS = 100;
const MAILBOX =
  'Hello, you have reached the voicemail of this number. Please leave a message after the tone.';
const SCREENER =
  'Please say your name and the reason for your call, and I will see if this person is available.';

/** Plays one call by text in virtual time: the whole conversation of a phone call except sound. The same input, the same call. */
export function playCall(call: CallToPlay): Promise<PlayedCall> {
  return new PlayingCall(call).run();
}

class PlayingCall {
  readonly #call: CallToPlay;
  readonly #queue = new TimeQueue();
  readonly #line: AgentLine;
  readonly #mouth: Mouth;
  readonly #sounds: CallerSound[] = [];
  readonly #settings: PlayedCall['settings'];
  #answers: WhoAnswers | null = null;
  #caller;
  /** False while a machine has the call. */
  #isPerson: boolean;
  #now = REHEARSED_AT;
  #stops = 0;
  #wake: () => void = () => undefined;
  #end: PlayedCall['end'] = null;
  #failure: string | null = null;

  constructor(call: CallToPlay) {
    this.#call = call;
    const { agent, scenario, seed, timing } = call;
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
      onStarted: (text, ms) => this.#notice({ type: 'agent_started', text, ms, at: this.#elapsed() }),
      onEnded: (isCut) => this.#agentEnded(isCut),
      onHangup: (reason) => this.#hangup(reason),
      onFault: (error) => {
        this.#failure = error instanceof Error ? error.message : String(error);
      },
    });
    this.#caller = initialCaller({ persona, seed, language: scenario.language ?? spec.agent.language });
    this.#mouth = new Mouth({
      ...clock,
      noise: persona.noise ?? 'quiet',
      speed: (persona.speed ?? 1) * mannersOf(this.#caller.settings).speed,
      feed: (event) => this.#heard(event),
    });
    const machine = answerSettings(spec, llm.introduces);
    if (machine !== null)
      this.#answers = new WhoAnswers(machine, REHEARSED_AT, (event) => this.#line.feed(event));
    this.#isPerson = (persona.answered_by ?? 'person') === 'person';
    clock.at(REHEARSED_AT, () => this.#answered(spec.direction));
  }

  async run(): Promise<PlayedCall> {
    const until = REHEARSED_AT + (this.#call.scenario.most_seconds ?? MOST_SECONDS) * 1_000;
    while (this.#end === null && this.#failure === null && this.#now < until) {
      if (this.#stops > 0) await this.#resumed();
      this.#step(until);
      if (this.#line.events.length > MOST_EVENTS)
        this.#failure = `the call has more than ${MOST_EVENTS} events`;
    }
    this.#line.stop();
    return {
      seed: this.#call.seed,
      settings: this.#settings,
      events: this.#line.events,
      agent: this.#line.sounds,
      caller: this.#sounds,
      tools: this.#line.tools,
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

  #answered(direction: CallSpec['direction']): void {
    const { persona } = this.#call.scenario;
    const at = this.#now;
    this.#line.feed({ type: 'answered', at });
    if (this.#answers !== null) this.#tick();
    const { hello } = habitWords(this.#caller.settings.language);
    const later = (run: () => void): void => this.#queue.add(at + HELLO_MS, run);
    if (this.#isPerson) {
      if (direction === 'outbound') later(() => this.#say('greeting', [{ text: hello, pauseMs: 0 }]));
      return;
    }
    const isMailbox = persona.answered_by === 'voicemail';
    const text = persona.greeting ?? (isMailbox ? MAILBOX : SCREENER);
    later(() => {
      const end = this.#say('machine', [{ text, pauseMs: 0 }]);
      if (!isMailbox) return;
      const { afterMs, hz, ms } = BEEP;
      const beep = end + afterMs + ms;
      this.#queue.add(beep, () => this.#answers?.step({ type: 'tone', hz, ms, at: this.#now }));
    });
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
    if (!this.#isPerson && this.#call.scenario.persona.answered_by === 'screening') {
      this.#isPerson = true;
      const { hello } = habitWords(this.#caller.settings.language);
      this.#queue.add(this.#now + PICK_UP_MS, () => this.#say('greeting', [{ text: hello, pauseMs: 0 }]));
      return;
    }
    this.#notice({ type: 'agent_ended', isCut, at: this.#elapsed() });
  }

  #notice(event: CallerEvent): void {
    if (!this.#isPerson || this.#end !== null) return;
    const { state, acts } = stepCaller(this.#caller, event);
    this.#caller = state;
    for (const act of acts) this.#perform(act);
  }

  #perform(act: CallerAct): void {
    switch (act.type) {
      case 'say':
        this.#say(act.kind, act.pieces);
        return;
      case 'wake':
        this.#queue.add(this.#now + act.afterMs, () =>
          this.#notice({ type: 'due', timer: act.timer, at: this.#elapsed() }),
        );
        return;
      case 'hang_up':
        this.#line.feed({ type: 'remote_hangup', at: this.#now });
        this.#hangup('USER_LEFT');
        return;
      default:
        act satisfies never;
    }
  }

  /** Returns when the words end. */
  #say(
    kind: CallerSound['kind'],
    pieces: readonly { readonly text: string; readonly pauseMs: number }[],
  ): number {
    const from = this.#elapsed();
    const to = this.#mouth.say(pieces, () => {
      if (kind !== 'greeting' && kind !== 'machine') this.#notice({ type: 'spoke', at: this.#elapsed() });
    });
    const text = pieces.map((piece) => piece.text).join(' ');
    this.#sounds.push({ kind, text, from, to: to - REHEARSED_AT });
    return to;
  }

  #hangup(reason: EndReason): void {
    this.#end ??= { reason, at: this.#elapsed() };
  }
}
