import type { TemplateList, TemplateSource } from '../../domain/chats/template-source.ts';
import type { Clock } from '../../shared/clock.ts';
import type { GraphClient } from './graph-client.ts';

const KEPT_MS = 5 * 60_000;
/** A list that must be fresh may be this old, so that requests in a row share one. */
const FRESH_MS = 5_000;
const MOST_ACCOUNTS = 200;

/** Keeps the template lists of accounts for some minutes: WhatsApp limits how often they are read. */
export class TemplateCache implements TemplateSource {
  readonly #clock: Clock;
  readonly #graph: Pick<GraphClient, 'templates'>;
  readonly #lists = new Map<string, { readonly at: number; readonly list: Promise<TemplateList> }>();

  constructor(clock: Clock, graph: Pick<GraphClient, 'templates'>) {
    this.#clock = clock;
    this.#graph = graph;
  }

  list(businessAccountId: string, token: string, isFresh: boolean): Promise<TemplateList> {
    const now = this.#clock.monotonic();
    const key = `${businessAccountId}\n${token}`;
    const kept = this.#lists.get(key);
    if (kept !== undefined && now - kept.at < (isFresh ? FRESH_MS : KEPT_MS)) return kept.list;
    const list = this.#graph.templates(businessAccountId, token);
    this.#lists.delete(key);
    this.#lists.set(key, { at: now, list });
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > MOST_ACCOUNTS && oldest !== undefined) this.#lists.delete(oldest);
    // Failures are not kept.
    void list.then((read) => {
      if (!read.ok && this.#lists.get(key)?.list === list) this.#lists.delete(key);
    });
    return list;
  }
}
