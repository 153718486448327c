import { setTimeout as sleep } from 'node:timers/promises';
import { namedBases } from '../../shared/knowledge/bases-argument.ts';
import type { KnowledgeItem } from '../../shared/knowledge/knowledge-index.ts';
import { wireDocument } from '../../shared/wire-names.ts';
import type { Log } from '../../shared/log.ts';
import type { ToolOutcome } from '../tools/run-api-tool.ts';
import type { FoundBy } from './merge-ranks.ts';
import type { SearchPlace } from './meaning-search.ts';
import { searchKnowledge, toItem, type SearchDeps } from './search-knowledge.ts';

/** A search result for the model and the tool log. */
interface SearchResult extends KnowledgeItem {
  readonly score: number;
  readonly foundBy: readonly FoundBy[];
  /** The chunk: its source and its index there. */
  readonly sourceId: string;
  readonly position: number;
}

const SHOWN = wireDocument<SearchResult>({ foundBy: true, sourceId: true });

const MAX_RESULTS = 3;
/** Timeout of the database; afterwards the call searches the knowledge it carries. */
const REPLY_MS = 1500;

/** Searches the agent's knowledge bases for a question of a live call. Never throws. */
export async function lookUpKnowledge(
  deps: SearchDeps & { readonly log: Log; readonly waitMs: number },
  at: SearchPlace,
  args: Readonly<Record<string, unknown>>,
): Promise<ToolOutcome> {
  const question = typeof args['question'] === 'string' ? args['question'].slice(0, 1000) : '';
  const waiting = new AbortController();
  const late = sleep(REPLY_MS, null, { signal: waiting.signal, ref: false });
  late.catch(() => undefined);
  try {
    const named = namedBases(args);
    const place = named === null ? at : { ...at, kbIds: at.kbIds.filter((id) => named.includes(id)) };
    const found = await Promise.race([
      searchKnowledge(deps, place, question, MAX_RESULTS, deps.waitMs),
      late,
    ]);
    if (found === null) return { ok: false, result: { error: 'timeout' } };
    const results = found.chunks.map(({ item, score, foundBy }) =>
      SHOWN.write({ ...toItem(item), score, foundBy, sourceId: item.sourceId, position: item.seq }),
    );
    return { ok: true, result: { results, ...(found.meaning === 'off' ? {} : { meaning: found.meaning }) } };
  } catch (error) {
    deps.log.warn({ err: error, workspaceId: at.workspaceId }, 'knowledge search of a call failed');
    return { ok: false, result: { error: 'failed' } };
  } finally {
    waiting.abort();
  }
}
