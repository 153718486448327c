import { setTimeout as sleep } from 'node:timers/promises';
import type { KnowledgeItem } from '../../shared/knowledge/knowledge-index.ts';
import type { Log } from '../../shared/log.ts';
import type { ToolOutcome } from '../tools/run-api-tool.ts';
import type { FoundBy } from './merge-ranks.ts';
import { searchKnowledge, toItem, type SearchDeps } from './search-knowledge.ts';

/** What a call's lookup gives its brain, and its log keeps. */
interface LookedUp extends KnowledgeItem {
  readonly score: number;
  readonly found_by: readonly FoundBy[];
  /** Which chunk it is: its source and its place there. */
  readonly source_id: string;
  readonly position: number;
}

const MOST_HITS = 3;
/** A database that takes longer is not waited for: the call then searches what it has with it. */
const REPLY_MS = 1500;

/** Looks a question of a live call up in all that the agent's knowledge bases hold. Never throws. */
export async function lookUpKnowledge(
  deps: SearchDeps & { readonly log: Log; readonly waitMs: number },
  at: { readonly workspaceId: string; readonly kbIds: readonly string[] },
  args: Readonly<Record<string, unknown>>,
): Promise<ToolOutcome> {
  const question = typeof args['question'] === 'string' ? args['question'].slice(0, 1000) : '';
  const waiting = new AbortController();
  const late = sleep(REPLY_MS, null, { signal: waiting.signal, ref: false });
  late.catch(() => undefined);
  try {
    const found = await Promise.race([searchKnowledge(deps, at, question, MOST_HITS, deps.waitMs), late]);
    if (found === null) return { ok: false, result: { error: 'timeout' } };
    const results = found.chunks.map(({ item, score, foundBy }): LookedUp => ({
      ...toItem(item),
      score,
      found_by: foundBy,
      source_id: item.sourceId,
      position: item.seq,
    }));
    return { ok: true, result: { results, ...(found.meaning === 'off' ? {} : { meaning: found.meaning }) } };
  } catch (error) {
    deps.log.warn(
      { err: error, workspaceId: at.workspaceId },
      'the knowledge of a call could not be searched',
    );
    return { ok: false, result: { error: 'failed' } };
  } finally {
    waiting.abort();
  }
}
