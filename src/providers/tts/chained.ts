import type { Language } from '@callwright/language';
import { Chain, Course, LostMembers, type ChainDeps } from '../chain.ts';
import type { TtsOptions, TtsProvider, TtsSession } from '../ports/voice.ts';
import { ChainedContext, speaks, type ChainedCall } from './chained-context.ts';

/**
 * Voices over a chain. A reply is spoken by the first one that works and speaks its language; a voice that fails hands
 * over in the middle of a sentence, for the rest of the call. The offline one only stands in: the next reply asks a
 * vendor's voice again.
 */
export class ChainedVoice implements TtsProvider {
  readonly #chain: Chain<TtsProvider>;

  constructor(members: readonly TtsProvider[], deps: ChainDeps = {}) {
    this.#chain = new Chain(members, deps);
  }

  get name(): string {
    return this.#chain.name;
  }

  /** The voice that always works. */
  get last(): TtsProvider | undefined {
    return this.#chain.members.at(-1);
  }

  speaks(language: Language): boolean {
    return this.#chain.members.some((member) => member.speaks?.(language) ?? true);
  }

  /** Connects to the first voice. */
  open(options: TtsOptions): TtsSession {
    const chain = this.#inOrder(options);
    const sessions = new Map<TtsProvider, TtsSession>();
    const sessionOf = (member: TtsProvider): TtsSession => {
      const session = sessions.get(member) ?? member.open(options);
      sessions.set(member, session);
      return session;
    };
    const lost = new LostMembers();
    const call: ChainedCall = { chain, options, sessionOf, lost, msPerChar: null };
    const first = chain.members[new Course(chain, lost).look(speaks(chain, options.language))];
    if (first !== undefined) sessionOf(first);
    const contexts = new Set<ChainedContext>();
    return {
      begin: () => {
        const context = new ChainedContext(call);
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
    const chain = this.#inOrder(options);
    chain.members[chain.first(speaks(chain, options.language))]?.warm?.(options, text);
  }

  close(): Promise<void> {
    return this.#chain.close();
  }

  /** The vendor of the agent's voice comes first, the offline voice last. */
  #inOrder({ voiceKey }: TtsOptions): Chain<TtsProvider> {
    const { members } = this.#chain;
    const [vendor] = voiceKey.split(':');
    const own = members.slice(0, -1).filter(({ name }) => name === vendor);
    return this.#chain.with([...own, ...members.filter((member) => !own.includes(member))]);
  }
}
