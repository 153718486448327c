import type { Language } from '@callwright/language';
import type { TtsOptions, TtsProvider, TtsSession } from '../ports/voice.ts';
import { afterReal, type After } from '../wire/after.ts';
import type { ChainHealth } from '../wire/health.ts';
import { usableMember } from '../wire/usable-member.ts';
import { ChainContext, freshReply, memberFor, type ChainCall } from './chained-context.ts';

/**
 * Voices in order of preference, the offline one last. A reply is spoken by the first one that works and speaks its
 * language; a voice that fails hands over to the next in the middle of a sentence, for the rest of the call. The offline
 * one only stands in: the next reply asks a vendor's voice again.
 */
export class ChainedVoice implements TtsProvider {
  readonly name: string;
  readonly #members: readonly TtsProvider[];
  readonly #health: ChainHealth;
  readonly #after: After;
  readonly #now: () => number;

  constructor(
    members: readonly TtsProvider[],
    health: ChainHealth,
    after: After = afterReal,
    now: () => number = () => performance.now(),
  ) {
    this.name = members.map(({ name }) => name).join(',');
    this.#members = members;
    this.#health = health;
    this.#after = after;
    this.#now = now;
  }

  /** The one that always works. */
  get last(): TtsProvider | null {
    return this.#members.at(-1) ?? null;
  }

  speaks(language: Language): boolean {
    return this.#members.some((member) => member.speaks?.(language) ?? true);
  }

  /** Connects to the first voice. */
  open(options: TtsOptions): TtsSession {
    const members = this.#inOrder(options);
    const sessions = new Map<TtsProvider, TtsSession>();
    const sessionOf = (member: TtsProvider): TtsSession => {
      const session = sessions.get(member) ?? member.open(options);
      sessions.set(member, session);
      return session;
    };
    const call: ChainCall = {
      members,
      options,
      health: this.#health,
      after: this.#after,
      now: this.#now,
      sessionOf,
      gone: new Set(),
      fault: null,
      msPerChar: null,
    };
    const first = members[memberFor(call, options.language, freshReply(), true)];
    if (first !== undefined) sessionOf(first);
    const contexts = new Set<ChainContext>();
    return {
      begin: () => {
        const context = new ChainContext(call);
        contexts.add(context);
        return context;
      },
      close: () => {
        for (const context of contexts) context.cancel();
        for (const session of sessions.values()) session.close();
      },
    };
  }

  warm(options: TtsOptions, text: string): void {
    const members = this.#inOrder(options);
    const isAble = (i: number): boolean => members[i]?.speaks?.(options.language) ?? true;
    const able = members[usableMember(members, this.#health, { isAble, isLook: true })];
    able?.warm?.(options, text);
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.close()));
  }

  /** The vendor of the agent's voice comes first, the offline voice last. */
  #inOrder({ voiceKey }: TtsOptions): readonly TtsProvider[] {
    const [vendor] = voiceKey.split(':');
    const own = this.#members.slice(0, -1).filter(({ name }) => name === vendor);
    return [...own, ...this.#members.filter((member) => !own.includes(member))];
  }
}
