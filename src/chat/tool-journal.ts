import { saveTurnTools, type LeasedChat } from '../store/chats/turns.ts';
import type { Db } from '../store/database.ts';
import { HAND_OVER } from '../shared/hand-over.ts';
import type { ToolResult } from './turn.ts';

/** `dry_run`: only knowledge is looked up and agents hand over, every other tool answers that it would have run. */
export type ToolMode = 'run' | 'dry_run';

/** A tool as the journal of its turn keeps it. */
interface Entry {
  readonly key: string;
  readonly outcome: ToolResult | null;
}

const READS: ReadonlySet<string> = new Set(['lookup_knowledge', HAND_OVER]);
const INTERRUPTED: ToolResult = {
  ok: false,
  result: { error: 'interrupted: the request may have been carried out; do not repeat it' },
};
/** What a tool answers that is not run. */
export const DRY: ToolResult = { ok: true, result: { status: 'not run', dry_run: true } };

interface JournalDeps {
  readonly db: Db;
  readonly chat: LeasedChat;
  readonly mode: ToolMode;
  readonly tools: { run(name: string, args: Record<string, unknown>): Promise<ToolResult> };
  readonly fencedOff: () => Error;
}

/**
 * The tools of one turn, written to the database before each runs. A turn that is taken again after a crash gets the
 * results of the first try, and repeats no tool whose result was lost.
 */
export class ToolJournal {
  readonly #deps: JournalDeps;
  readonly #before: Entry[];
  readonly #entries: Entry[] = [];

  constructor(deps: JournalDeps) {
    this.#deps = deps;
    this.#before = [...deps.chat.turnTools];
  }

  /** Rejects when the chat was taken over meanwhile: the turn must not be committed. */
  async run(name: string, args: Record<string, unknown>): Promise<ToolResult> {
    const { tools, mode } = this.#deps;
    if (READS.has(name)) return tools.run(name, args);
    if (mode === 'dry_run') return DRY;
    const key = `${name} ${JSON.stringify(args)}`;
    const at = this.#before.findIndex((entry) => entry.key === key);
    if (at >= 0) {
      const [known] = this.#before.splice(at, 1);
      const outcome = known?.outcome ?? INTERRUPTED;
      this.#entries.push({ key, outcome });
      return outcome;
    }
    await this.#write({ key, outcome: null });
    const outcome = await tools.run(name, args);
    this.#entries.pop();
    await this.#write({ key, outcome });
    return outcome;
  }

  async #write(entry: Entry): Promise<void> {
    this.#entries.push(entry);
    const all = [...this.#before, ...this.#entries];
    if (await saveTurnTools(this.#deps.db, this.#deps.chat, all)) return;
    throw this.#deps.fencedOff();
  }
}
