import type { TurnEvent } from '@callwright/turns';
import type { ConversationOrder } from '../shared/call-order.ts';
import type { AudioUse } from '../voice/measures.ts';
import type { TtsSession } from '../providers/ports/voice.ts';
import { Announcement } from './announcement.ts';
import { FrameRelay } from './bridge.ts';
import { PersonEars } from './person-ears.ts';
import type { CallSpec, LiveEvent } from './protocol.ts';
import type { SessionDeps } from './session-deps.ts';

interface PersonDeps {
  readonly spec: Pick<CallSpec, 'agent'>;
  readonly session: Pick<SessionDeps, 'leg' | 'providers' | 'scheduler'> & { onLive(event: LiveEvent): void };
  /** The agent's voice, for announcements. */
  readonly tts: TtsSession;
  /** The agent has no part in the call now: it is connected to a transfer target, or over. */
  isAway(): boolean;
  /** The far side is on hold: it hears no member. */
  isHeld(): boolean;
  dispatch(event: TurnEvent): void;
  readonly onFault: (error: unknown, at: number) => void;
}

/** Who talks in the agent's place. */
interface Talker {
  readonly name: string;
  readonly voice: FrameRelay;
  /** What the caller hears before them; null: nothing more. */
  announcement: Announcement | null;
  /** Their microphone has sent audio. */
  hasSpoken: boolean;
}

/** What a person of the workspace does in a live call, and their voice while they talk in the agent's place. */
export class Person {
  readonly #deps: PersonDeps;
  readonly #names = new Set<string>();
  /** Members whose presence the caller was told. */
  readonly #announced = new Set<string>();
  #talker: Talker | null = null;
  #ears: PersonEars | null = null;
  /** Audio that closed recognisers heard. */
  #heard: readonly AudioUse[] = [];

  constructor(deps: PersonDeps) {
    this.#deps = deps;
  }

  control(order: ConversationOrder): void {
    const { by } = order;
    const at = this.#now;
    if (this.#deps.isAway()) {
      return this.#note(
        'CONTROL_IGNORED',
        `the assistant has no part in the call now, so what ${by} asked for is not done`,
      );
    }
    switch (order.operation) {
      case 'whisper':
        this.#deps.dispatch({ type: 'note', text: order.text, at });
        return this.#note('WHISPERED', `${by} gave the assistant a note: ${order.text}`);
      case 'note':
        return this.#deps.dispatch({ type: 'note', text: order.text, at });
      case 'say':
        this.#deps.dispatch({ type: 'say', text: order.text, author: by, at });
        return this.#note('SENTENCE_GIVEN', `${by} gave the assistant a sentence to say`);
      case 'announce':
        if (this.#announced.has(by)) return undefined;
        this.#announced.add(by);
        return this.#deps.dispatch({ type: 'say', text: order.text, author: by, at });
      case 'take_over':
        return this.#takeOver(by, at, order.announcement ?? null);
      case 'hand_back':
        return this.#handBack(by, at);
    }
  }

  /** Whether the member has taken this call over once: their connection may send audio. */
  mayTalk(name: string): boolean {
    return this.#names.has(name);
  }

  /** 20 ms of a member's microphone at the rate of the call; dropped unless they talk in the agent's place. */
  speak(name: string, pcm: Int16Array): void {
    const talker = this.#talker;
    if (
      talker?.name !== name ||
      talker.announcement !== null ||
      pcm.length !== this.#deps.session.leg.sampleRate / 50 ||
      this.#deps.isAway() ||
      this.#deps.isHeld()
    )
      return;
    talker.hasSpoken = true;
    talker.voice.push(pcm);
    this.#ears ??= this.#open(name);
    this.#ears.audio(pcm, this.#now);
  }

  /** The connection of a member's microphone ended: the agent has the call again. */
  left(name: string): void {
    if (this.#talker?.name === name && this.#talker.hasSpoken) this.#handBack(name, this.#now);
  }

  /** The person's next 20 ms for the caller; false: none. */
  take(out: Int16Array, at: number): boolean {
    if (this.#ears?.tick(at) === false) this.#closeEars();
    const talker = this.#talker;
    if (talker === null) return false;
    if (talker.announcement?.isOver(at) === true) {
      talker.announcement.close();
      talker.announcement = null;
    }
    return (talker.announcement ?? talker.voice).take(out);
  }

  /** The audio that recognisers heard of persons, then that of the caller. */
  usage(caller: readonly AudioUse[]): readonly AudioUse[] {
    return [...this.#heard, ...(this.#ears?.usage() ?? []), ...caller];
  }

  close(): void {
    this.#talker?.announcement?.close();
    this.#talker = null;
    this.#closeEars();
  }

  get #now(): number {
    return this.#deps.session.scheduler.now();
  }

  #takeOver(name: string, at: number, text: string | null): void {
    if (this.#talker?.name === name) return;
    this.#names.add(name);
    this.#closeEars();
    this.#talker?.announcement?.close();
    const isAnnounced = text !== null && !this.#announced.has(name);
    const announcement = isAnnounced ? new Announcement(this.#deps.tts, text, at) : null;
    const voice = new FrameRelay(this.#deps.session.leg.sampleRate);
    this.#talker = { name, voice, announcement, hasSpoken: false };
    this.#deps.dispatch({ type: 'taken_over', at });
    if (isAnnounced) this.#deps.dispatch({ type: 'person_said', text, author: name, since: at, at });
    this.#announced.add(name);
    this.#note('TAKEN_OVER', `${name} took the call over: the assistant is silent`);
  }

  #handBack(name: string, at: number): void {
    if (this.#talker === null) return;
    this.#talker.announcement?.close();
    this.#talker = null;
    this.#ears?.end(at);
    this.#deps.dispatch({ type: 'handed_back', at });
    this.#note('HANDED_BACK', `${name} handed the call back to the assistant`);
  }

  #open(author: string): PersonEars {
    const { spec, session, onFault } = this.#deps;
    const deps = { providers: session.providers, sampleRate: session.leg.sampleRate, onFault };
    return new PersonEars(spec, deps, (words) =>
      this.#deps.dispatch({ type: 'person_said', ...words, author }),
    );
  }

  #closeEars(): void {
    this.#heard = this.usage([]);
    this.#ears?.close();
    this.#ears = null;
  }

  #note(code: string, message: string): void {
    this.#deps.session.onLive({ type: 'notice', code, message });
  }
}
