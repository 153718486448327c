import type { ChatUse } from '../store/json/chat.ts';
import type { ToolLogEntry } from '../voice/conversation.ts';
import type { VersionConfig } from '../store/json/agent-version.ts';
import { optOutNumber } from '../domain/calls/opt-out.ts';
import { endChat } from '../domain/chats/end-chat.ts';
import { MOST_CHARS } from '../domain/chats/receive.ts';
import { endsAt, sessionOf } from '../domain/agents/session-limits.ts';
import { splitText } from '../domain/whatsapp/compose.ts';
import { conversationPhrases, optOutSense } from '@callwright/language';
import type { Clock } from '../shared/clock.ts';
import { newId } from '../shared/ids.ts';
import type { Log } from '../shared/log.ts';
import { Shares } from '../shared/shares/shares.ts';
import { NO_ENGINE, type Engine, type SpokenBy } from '../shared/spoken-by.ts';
import { chatVersionConfig } from '../store/chats/chats.ts';
import {
  insertMessages,
  setTranscript,
  unansweredMessages,
  type ChatMessageRow,
} from '../store/chats/messages.ts';
import { addUsage, commitTurn, deferTurn, releaseTurn, type LeasedChat } from '../store/chats/turns.ts';
import type { Db, Tx } from '../store/database.ts';
import type { JsonObject } from '../store/schema.ts';
import type { AudioUse } from '../voice/measures.ts';
import { handoversIn } from '../providers/ports/agent-brains.ts';
import { goesOnAfterIntro } from '../providers/ports/open-brain.ts';
import type { BrainContext, LlmSession, ToolSpec } from '../providers/ports/model.ts';
import { ToolJournal, type ToolMode } from './tool-journal.ts';
import { TurnRefused, type AdmittedTurn, type TurnGate } from './turn-gate.ts';
import { ChatProcessor, type TurnProcessor } from './turn-processor.ts';
import { NEW_TALK, takeTurn, type Talk, type ToolResult, type Turn } from './turn.ts';

/** The agent of one chat, opened for one turn. */
export interface OpenedAgent {
  readonly llm: LlmSession;
  readonly context: BrainContext;
  readonly tools: ChatTools;
  close(): void;
}
export interface ChatTools {
  /** Of the agent that has the conversation now. */
  readonly specs: readonly ToolSpec[];
  /** Variables that the pre-call tools set. */
  readonly learnt: Readonly<Record<string, string>>;
  readonly log: readonly ToolLogEntry[];
  run(name: string, args: Record<string, unknown>): Promise<ToolResult>;
}
/** The person that the agent talks to, and the agent. */
export type TalkParty = Pick<
  LeasedChat,
  'id' | 'workspaceId' | 'agentId' | 'agentName' | 'customerNumber' | 'channel'
>;
export interface OpenOptions {
  /** The pre-call tools of the agent run. */
  readonly isFirst: boolean;
  /** In place of the agent's own setting; `error`: the reply fails. Absent: the agent's. */
  readonly onModelFailure?: 'error' | 'script';
  /** Of the brain, from the turn before: another agent may have taken over. Absent: the conversation begins. */
  readonly memory?: unknown;
  /** Handovers of the conversation so far. Absent: none. */
  readonly handovers?: number;
  /** The agent talks as on a phone call of this direction, with the tools of the line. Absent: as in a chat. */
  readonly line?: 'outbound' | 'inbound';
}
/** Opens the agent's brain and tools. */
export type OpenAgent = (
  party: TalkParty,
  config: VersionConfig,
  variables: Readonly<Record<string, string>>,
  options: OpenOptions,
) => Promise<OpenedAgent>;

/** The transcript of a voice message. */
export interface HeardVoice {
  /** Null: there are none. */
  readonly words: string | null;
  readonly uses: readonly AudioUse[];
}
/** Hears a voice message by its id in the channel. Never rejects. */
export type HearNote = (
  chat: LeasedChat,
  config: VersionConfig,
  voiceId: string,
  signal: AbortSignal,
) => Promise<HeardVoice>;

export interface ChatTurnDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly openAgent: OpenAgent;
  /** Passes the turns through the admission gate. */
  readonly gate: TurnGate;
  /** Absent: voice messages are not listened to. */
  readonly hearNote?: HearNote;
  /** Absent: the time of this thread. */
  readonly processor?: ChatProcessor;
  /** Another engine than the agent's first model gave a reply. */
  readonly onFallback?: (engine: Engine) => void;
  /** Called after messages or events are stored. */
  onStored(): void;
}

/** Longest turn; its lease is longer, so that two processes never take the same turn. */
export const TURN_MS = 60_000;
export const LEASE_MS = 90_000;
/** For all voice messages of a turn; with the turn it is less than the lease. */
const HEARING_MS = 25_000;
const MOST_TRIES = 6;
/** How soon a turn is tried again that the balance or a cap refused. */
const REFUSED_WAIT_MS = 60_000;

/**
 * Transactions of turns that lock their workspace. A workspace holds three at a time, with a connection each; further ones
 * wait without a connection.
 */
const LOCKING = { places: 8, parts: 3, waiting: { perTenant: 200, ms: 20_000 } };

/** The talk of a chat, with the variables that its tools have set. */
interface StoredTalk extends Talk {
  readonly variables: Readonly<Record<string, string>>;
  /** False: our side wrote first, by a template or a person, and the agent has taken no turn. */
  readonly hasBegun?: boolean;
}
const talkOf = (stored: JsonObject): StoredTalk => ({ ...NEW_TALK, variables: {}, ...stored });

export interface TakenTurn extends Turn {
  /** The customer's messages that it answers. */
  readonly heard: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** Answers leased chats: each customer's message is answered by exactly one committed turn. */
export class ChatTurns {
  readonly #deps: ChatTurnDeps;
  readonly #processor: ChatProcessor;
  readonly #locking = new Shares(LOCKING);

  constructor(deps: ChatTurnDeps) {
    this.#deps = deps;
    this.#processor = deps.processor ?? new ChatProcessor(deps.clock);
  }

  /**
   * Takes one turn and commits it, with its messages to the customer. Null: the chat was taken over, ended or leased by
   * another process meanwhile; then nothing is stored. A failed turn is tried again later, and so is one that the workspace
   * cannot pay for now; only a test rejects then, with the answer for its request.
   */
  async answer(
    chat: LeasedChat,
    mode: ToolMode = 'run',
    onModelFailure?: 'error' | 'script',
  ): Promise<TakenTurn | null> {
    try {
      const taken = await this.#take(chat, mode, onModelFailure);
      this.#noteFallback(chat, taken.spokenBy);
      this.#deps.onStored();
      return taken;
    } catch (error) {
      const { db, clock, log } = this.#deps;
      if (error instanceof FencedOff) return null;
      if (error instanceof TurnRefused) {
        await this.#wait(chat, error);
        if (chat.channel === 'test') throw error.answer;
        return null;
      }
      log.error({ err: error, chatId: chat.id, tries: chat.tries }, 'chat turns: turn failed');
      const waitMs = 1_000 * 2 ** Math.min(chat.tries, MOST_TRIES);
      await releaseTurn(db, chat, new Date(clock.now() + waitMs)).catch((failure: unknown) => {
        log.error(
          { err: failure, chatId: chat.id },
          'chat turns: lease could not be released; the chat waits until it expires',
        );
      });
      return null;
    }
  }

  /** Lets a chat whose turn was refused wait; without an effect if the lease cannot be released now. */
  async #wait(chat: LeasedChat, { reason }: TurnRefused): Promise<void> {
    const { db, clock, log } = this.#deps;
    log.info({ chatId: chat.id, reason }, 'chat turns: a turn waits for credits or caps of its workspace');
    await deferTurn(db, chat, new Date(clock.now() + REFUSED_WAIT_MS)).catch((error: unknown) => {
      log.warn({ err: error, chatId: chat.id }, 'chat turns: a refused turn waits until its lease expires');
    });
  }

  #noteFallback({ id: chatId, agentId }: LeasedChat, { engine, vendor, isFallback }: SpokenBy): void {
    if (!isFallback || engine === null) return;
    this.#deps.log.warn({ chatId, agentId, engine, vendor }, 'chat turns: a fallback engine replied');
    this.#deps.onFallback?.(engine);
  }

  async #take(chat: LeasedChat, mode: ToolMode, onModelFailure?: 'error' | 'script'): Promise<TakenTurn> {
    const { db, clock } = this.#deps;
    const config = await chatVersionConfig(db, chat);
    const messages = await this.#hear(chat, config, await unansweredMessages(db, chat));
    const stored = talkOf(chat.talk);
    const isFirst = stored.history.length === 0;
    const hasBegun = stored.hasBegun ?? !isFirst;
    if (messages.length === 0 && !isFirst) return this.#commit(chat, config, [], nothing(stored), stored);
    const given = { callee_name: chat.customerName, mobile_number: chat.customerNumber ?? '', ...chat.args };
    const known = { ...given, ...stored.variables };
    const agent = await this.#deps.openAgent(chat, config, known, {
      isFirst: !hasBegun && mode === 'run',
      memory: stored.memory,
      handovers: handoversIn(stored.history),
      ...(onModelFailure === undefined ? {} : { onModelFailure }),
    });
    try {
      const { context, llm } = agent;
      const journal = new ToolJournal({
        db,
        chat,
        mode,
        tools: agent.tools,
        fencedOff: () => new FencedOff(),
      });
      const greeting = isFirst ? context.introMessage : '';
      const history = greeting === '' ? stored.history : [agentLine(greeting)];
      const { phrases } = conversationPhrases(context.language);
      const parts = {
        llm,
        optOut: optOutSense(context),
        runTool: (name: string, args: Record<string, unknown>) => journal.run(name, args),
        sensitive: (name: string) => agent.tools.specs.find((tool) => tool.name === name)?.sensitive,
        phrases,
        now: () => clock.now(),
        ...(onModelFailure === undefined ? {} : { onModelFailure: 'stop' as const }),
        signal: AbortSignal.timeout(TURN_MS),
      };
      const talk = { ...stored, history };
      // Without a message the agent says its first one, and nothing else; a flow goes on to its first question.
      const isGreetingAlone = messages.length === 0 && greeting !== '' && !goesOnAfterIntro(context);
      const { gate } = this.#deps;
      const admit = (): Promise<AdmittedTurn> =>
        this.#locking.within(chat.workspaceId, () => gate.admit(chat));
      const admitted = isGreetingAlone ? null : await admit();
      const processor = this.#processor.begin();
      const taken =
        admitted === null
          ? nothing(talk)
          : await gate.orRelease(admitted, () =>
              takeTurn({ ...parts, processor, maxRounds: admitted.turns }, talk, messages.map(asHeard)),
            );
      const turn = this.#charged(chat, taken, processor);
      const learnt = turn.toolLog.map((entry) => entry.variables ?? {});
      const variables = Object.assign({}, stored.variables, agent.tools.learnt, ...learnt) as Record<
        string,
        string
      >;
      const said = greeting === '' ? turn.said : [greeting, ...turn.said];
      const full = { ...turn, said };
      return await this.#commit(
        chat,
        config,
        messages,
        full,
        { ...turn.talk, variables, hasBegun: true },
        agent.tools.log,
        admitted,
      );
    } finally {
      agent.close();
    }
  }

  /** Ends a chat that used too much processor time; what it said is sent. */
  #charged(chat: LeasedChat, turn: Turn, processor: TurnProcessor): Turn {
    if (this.#processor.charge(chat.id, processor)) return turn;
    this.#deps.log.error({ chatId: chat.id }, 'a chat used too much processor time; it ends');
    return { ...turn, end: turn.end ?? 'PROCESSOR_TIME_EXCEEDED' };
  }

  /** Transcribes voice notes; a retried turn reuses the stored text. */
  async #hear(
    chat: LeasedChat,
    config: VersionConfig,
    messages: readonly ChatMessageRow[],
  ): Promise<readonly ChatMessageRow[]> {
    const { db, hearNote } = this.#deps;
    if (hearNote === undefined) return messages;
    const limit = AbortSignal.timeout(HEARING_MS);
    const heard: ChatMessageRow[] = [];
    for (const message of messages) {
      const { voice, transcribed } = (message.content ?? {}) as { voice?: string; transcribed?: boolean };
      const isOpen = voice !== undefined && transcribed !== true && !limit.aborted;
      const { words, uses } = isOpen ? await hearNote(chat, config, voice, limit) : UNHEARD;
      const text = words?.slice(0, MOST_CHARS) ?? message.text;
      // Store before the turn: transcribing again in a retry would be charged again.
      if (uses.length > 0) await addUsage(db, chat, uses.map(usageOf));
      if (words !== null) await setTranscript(db, chat, message.id, text);
      heard.push({ ...message, text });
    }
    return heard;
  }

  async #commit(
    chat: LeasedChat,
    config: VersionConfig,
    messages: readonly ChatMessageRow[],
    turn: Turn,
    talk: StoredTalk,
    before: readonly ToolLogEntry[] = [],
    admitted: AdmittedTurn | null = null,
  ): Promise<TakenTurn> {
    const { db, clock, gate } = this.#deps;
    const now = clock.now();
    const at = new Date(now);
    const store = async (tx: Tx): Promise<void> => {
      // First, because it locks the workspace. Lock order: workspace, chat.
      if (admitted !== null) await gate.settle(tx, admitted, turn.rounds);
      const isCommitted = await commitTurn(tx, chat, {
        answered: messages.map(({ id }) => id),
        talk,
        toolLog: [...before, ...turn.toolLog],
        usage: turn.usage,
        endsAt: endsAt(sessionOf(config), chat.createdAt, now),
        now: at,
      });
      if (!isCommitted) throw new FencedOff();
      await this.#say(tx, chat, turn, at);
      if (turn.optedOut && chat.channel !== 'test' && chat.customerNumber !== null)
        await optOutNumber(tx, chat.workspaceId, chat.customerNumber, at);
      if (turn.end !== null) await endChat(tx, chat, turn.end, at);
    };
    const stored = this.#locking.within(chat.workspaceId, () => db.transaction().execute(store));
    await (admitted === null ? stored : gate.orRelease(admitted, () => stored));
    return { ...turn, heard: messages.map(asHeard), variables: talk.variables };
  }

  /** Stores the agent's messages; on WhatsApp one message a turn unless it is too long. */
  async #say(tx: Tx, chat: LeasedChat, turn: Turn, at: Date): Promise<void> {
    const isSent = chat.channel !== 'whatsapp';
    const texts = isSent ? turn.said : splitText(turn.said.join('\n'));
    const choices = turn.end === null ? (turn.talk.expected?.choices ?? []) : [];
    await insertMessages(
      tx,
      chat,
      texts.map((text, index) => ({
        id: newId(),
        role: 'agent' as const,
        kind: 'text',
        text,
        content: index === texts.length - 1 && choices.length > 0 ? { choices } : null,
        sentAt: at,
        state: isSent ? ('sent' as const) : ('queued' as const),
        turn: chat.turn,
        spokenBy: turn.spokenBy.engine === null ? null : turn.spokenBy,
      })),
      at,
    );
  }
}

/** The turn lost its lease to another process, a person or the end of the chat. */
class FencedOff extends Error {
  override readonly name = 'FencedOff';
}

const UNHEARD: HeardVoice = { words: null, uses: [] };
const usageOf = ({ vendor, model, audioMs }: AudioUse): ChatUse => ({
  vendor,
  model,
  inputTokens: null,
  cachedTokens: null,
  outputTokens: null,
  audioMs,
});
const agentLine = (text: string) => ({ role: 'agent', text, interrupted: false }) as const;
const asHeard = ({ text }: ChatMessageRow): string => text;
const nothing = (talk: Talk): Turn => ({
  talk,
  said: [],
  toolLog: [],
  usage: [],
  steps: [],
  rounds: 0,
  optedOut: false,
  spokenBy: NO_ENGINE,
  end: null,
});
