import { ApiFailure, type Answer, type call, type Input } from '../../../api/client.ts';
import type { putAnswer, readAgain, readNow } from '../../../api/queries.ts';
import { t } from '../../../words/words.ts';
import { editInput, type Edit, type Version } from '../types.ts';

/** What the page shows, as its forms were last drawn with it. */
export interface Shown {
  readonly agentId: string;
  readonly version: Version;
  /** The open draft is shown: names its state. Null: another version. */
  readonly draftTag: string | null;
  /** New calls use the shown version: its edits go to a draft. */
  readonly isActive: boolean;
}
/** One change. `isAtOnce`: no draft holds it, nor what `instead` sends. */
export type Sent =
  | { readonly edit: Edit; readonly isAtOnce: boolean }
  | { readonly instead: Input<'updateAgent'> };
/** How a change ended; `version` is the id of the one that it was made in. */
type Outcome = { readonly version: string } | 'moved';

/** The requests of the page. */
export interface EditPorts {
  readonly call: typeof call;
  readonly readNow: typeof readNow;
  readonly putAnswer: typeof putAnswer;
  readonly readAgain: typeof readAgain;
  /** A draft was opened for a save; the page shows it from now on. */
  readonly onOpened: (draftId: string) => void;
}

const MOST_TRIES = 5;
const SOMEBODY = 'Somebody else changes the draft at the same time. Try again.';

/**
 * Sends the edits of a page one after another, so that two of them never refuse each other: those of the version that calls use
 * go to a draft, which is opened first, and each carries the tag of the draft as the page shows it.
 */
export class Edits {
  readonly #ports: EditPorts;
  #shown: Shown;
  #last: Promise<unknown> = Promise.resolve();
  #waiting: { readonly tag: string | null; readonly resolve: () => void }[] = [];
  readonly #tabs = new Set<() => Promise<boolean>>();

  constructor(shown: Shown, ports: EditPorts) {
    this.#shown = shown;
    this.#ports = ports;
  }

  /** The page has drawn this state. */
  drawn(shown: Shown): void {
    this.#shown = shown;
    const over = this.#waiting.filter(({ tag }) => tag !== shown.draftTag);
    this.#waiting = this.#waiting.filter(({ tag }) => tag === shown.draftTag);
    for (const { resolve } of over) resolve();
  }

  /** Takes a tab with unsaved sections in; `save` says whether it saved all of them. The answer takes the tab out. */
  join(save: () => Promise<boolean>): () => void {
    this.#tabs.add(save);
    return () => this.#tabs.delete(save);
  }

  /** Saves the changed sections of every tab, tab after tab. False: one of them is not saved. */
  async saveAll(): Promise<boolean> {
    let isAll = true;
    for (const save of this.#tabs) {
      // oxlint-disable-next-line no-await-in-loop -- each tab is judged by what the one before it has left
      isAll = (await save()) && isAll;
    }
    return isAll;
  }

  /** `make` gives the change for what is shown, or `moved`: somebody else changed the same. Throws ApiFailure. */
  send(make: (shown: Shown) => Sent | 'moved'): Promise<Outcome> {
    const sent = this.#last.then(() => this.#send(make));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  async #send(make: (shown: Shown) => Sent | 'moved'): Promise<Outcome> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const sent = make(this.#shown);
      if (sent === 'moved') return sent;
      const { version, isActive } = this.#shown;
      if ('instead' in sent) await this.#ports.call('updateAgent', sent.instead);
      else if (isActive && !sent.isAtOnce) {
        await this.#openDraft();
        continue;
      } else if (!(await this.#edit(sent))) continue;
      await this.#ports.readAgain(['getAgent', 'listAgents']);
      return { version: version.version_id };
    }
    throw new ApiFailure(409, { code: 'DRAFT_MOVED', message: t(SOMEBODY) });
  }

  /** False: the draft is not as the page showed it; it shows it now. */
  async #edit({ edit, isAtOnce }: Extract<Sent, { edit: Edit }>): Promise<boolean> {
    const { draftTag } = this.#shown;
    const guard = draftTag === null || isAtOnce ? {} : { 'if-match': `"${draftTag}"` };
    try {
      await this.#ports.call('editAgent', editInput(this.#shown, edit), undefined, guard);
    } catch (error) {
      const code = error instanceof ApiFailure ? error.code : '';
      if (code === 'DRAFT_CLOSED') void this.#ports.readAgain(['getAgent']);
      if (code !== 'DRAFT_MOVED') throw error;
      await this.#readDraft();
      return false;
    }
    if (draftTag !== null) await this.#readDraft();
    return true;
  }

  /** The page shows the draft afterwards. */
  async #openDraft(): Promise<void> {
    const { agentId } = this.#shown;
    const answer = await this.#ports.call('openDraft', { agent_id: agentId });
    this.#ports.onOpened(answer.draft.version_id);
    this.#ports.putAnswer('getDraft', { agent_id: agentId }, answer);
    await this.#ports.readNow('listAgentVersions', { agent_id: agentId, limit: 1 });
    await this.#drawnWith(answer);
  }

  async #readDraft(): Promise<void> {
    await this.#drawnWith(await this.#ports.readNow('getDraft', { agent_id: this.#shown.agentId }));
  }

  #drawnWith({ draft }: Answer<'getDraft'>): Promise<void> {
    const { draftTag } = this.#shown;
    if (draft.tag === draftTag) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ tag: draftTag, resolve }));
  }
}
