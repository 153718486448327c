import { mixInto, type SampleRate } from '@callwright/audio';
import type { TurnEvent } from '@callwright/turns';
import type { TtsSession } from '../providers/ports/voice.ts';
import type { AudioUse } from '../voice/measures.ts';
import { Announcement } from './announcement.ts';
import { PersonEars } from './person-ears.ts';
import type { CallSpec, InvitedGuest } from './protocol.ts';
import type { SessionDeps } from './session-deps.ts';
import { ThreeWayMix } from './three-way-mix.ts';

interface GuestDeps {
  readonly spec: Pick<CallSpec, 'agent'>;
  readonly providers: SessionDeps['providers'];
  readonly sampleRate: SampleRate;
  /** The agent's voice, for the announcement. */
  readonly tts: TtsSession;
  dispatch(event: TurnEvent): void;
  readonly onFault: (error: unknown, at: number) => void;
}

/** A third person in the call, beside the caller and the agent: their voice, and their words for transcript and agent. */
export class Guest {
  readonly name: string;
  readonly #deps: GuestDeps;
  readonly #mix: ThreeWayMix;
  readonly #ears: PersonEars;
  readonly #frame: Int16Array;
  /** What the caller hears before the guest; null: nothing more. */
  #announcement: Announcement | null;

  constructor({ name, announcement: said }: InvitedGuest, deps: GuestDeps, at: number) {
    this.name = name;
    this.#frame = new Int16Array(deps.sampleRate / 50);
    this.#announcement = said === null ? null : new Announcement(deps.tts, said, at);
    this.#deps = deps;
    this.#mix = new ThreeWayMix(deps.sampleRate);
    this.#ears = new PersonEars(deps.spec, deps, (words) =>
      deps.dispatch({ type: 'person_said', ...words, author: name, isGuest: true }),
    );
    const text = `${name} has joined the call and hears everything. Answer the caller; what ${name} says is told to you.`;
    deps.dispatch({ type: 'note', text, at });
    if (said !== null)
      deps.dispatch({ type: 'person_said', text: said, author: name, since: at, at, isGuest: true });
  }

  /** A frame of the caller. */
  caller(pcm: Int16Array): void {
    this.#mix.caller(pcm);
  }

  /** A frame of the guest. */
  audio(pcm: Int16Array, at: number): void {
    if (this.#announcement !== null) return;
    this.#mix.guest(pcm);
    this.#ears.audio(pcm, at);
  }

  /** Fills the guest's next frame; false: silence. */
  fill(out: Int16Array): boolean {
    return this.#mix.toGuest(out);
  }

  /** Adds the guest to the frame that leaves to the caller, every 20 ms of the call. False: both are silent. */
  join(out: Int16Array, hasVoice: boolean, at: number): boolean {
    this.#ears.tick(at);
    return this.#mix.toCaller(out, this.#announce(out, hasVoice, at));
  }

  /** The guest hung up or was removed, and the call goes on. */
  leave(at: number): void {
    this.#deps.dispatch({ type: 'note', text: `${this.name} has left the call.`, at });
  }

  usage(): readonly AudioUse[] {
    return this.#ears.usage();
  }

  close(): void {
    this.#announcement?.close();
    this.#ears.close();
  }

  #announce(out: Int16Array, hasVoice: boolean, at: number): boolean {
    const announcement = this.#announcement;
    if (announcement === null) return hasVoice;
    if (announcement.isOver(at)) {
      announcement.close();
      this.#announcement = null;
      return hasVoice;
    }
    if (!hasVoice) return announcement.take(out);
    if (announcement.take(this.#frame)) mixInto(out, this.#frame, 1);
    return true;
  }
}
