import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState } from 'react';
import { sessionQuery } from '../session/session.ts';
import { workspaceId } from '../session/workspace.ts';
import { draftKey, readDraft, sweepDrafts, writeDraft, type Kept } from './draft-store.ts';
import { useUnsaved } from './unsaved.ts';

/** What a form holds, and what becomes of it. */
export interface Form<T> {
  readonly draft: T;
  /** What the service has. */
  readonly now: T;
  readonly set: (change: Partial<T>) => void;
  readonly replace: (draft: T) => void;
  /** Forgets what was typed, here and in the browser. */
  readonly reset: () => void;
  /** Removes the text from the browser once the service has it: a reload must not bring it back as unsaved. */
  readonly stored: () => void;
  /** Forgets what was sent: the service may have stored it in another form. Later typing stays. */
  readonly saved: () => void;
  /** Forgets what was sent before the page is left. */
  readonly done: () => void;
  readonly isChanged: boolean;
  /** What the service has was changed since the typing began. */
  readonly isMoved: boolean;
  /** The typed text is meant for what the service has now. */
  readonly rebase: () => void;
  /** When text that was restored from the browser was typed, in epoch ms, and whether what is stored has changed since. */
  readonly restored: { readonly at: number; readonly isOld: boolean } | null;
}

/** What the forms below belong to, such as a version of an assistant. */
export const DraftScope = createContext<readonly string[]>([]);

sweepDrafts(localStorage, Date.now());

interface Typed<T> {
  readonly draft: T;
  /** What was stored when the typing began, as JSON; null: what the service made of a text that was just sent. */
  readonly base: string | null;
  readonly restored: Form<T>['restored'];
}

/**
 * What a form holds. Until something is typed it follows what is stored; what was typed is kept in the browser, without
 * secrets, until it is saved or discarded, also when the page is left. `name` tells it from the other forms of its
 * scope, `label` in messages.
 */
export function useDraft<T>(stored: T, name: string, label = name): Form<T> {
  const scope = useContext(DraftScope);
  const client = useQueryClient();
  // A switch of the workspace comes before the page leaves: the key is the one that the form began with.
  const [key] = useState(() =>
    draftKey([
      client.getQueryData(sessionQuery.queryKey)?.user.id ?? '',
      workspaceId() ?? '',
      ...scope,
      name,
    ]),
  );
  const [typed, setTyped] = useState<Typed<T> | null>(() =>
    restoredFrom<T>(readDraft(localStorage, key, stored, Date.now()), stored),
  );
  const draft = typed === null ? stored : typed.draft;
  const before = JSON.stringify(stored);
  const now = JSON.stringify(draft);
  const isChanged = now !== before;
  const isTyped = typed !== null;
  const base = typed?.base ?? before;
  useEffect(() => {
    // A draft that was only restored keeps its time.
    if (!isTyped || !isChanged) localStorage.removeItem(key);
    else if (!isSame(key, now)) {
      writeDraft(localStorage, key, JSON.parse(base), JSON.parse(now), Date.now());
    }
  }, [key, base, now, isTyped, isChanged]);
  const [reset] = useState(() => () => setTyped(null));
  const unmark = useUnsaved(label, isChanged, reset);
  const type = (next: T): void =>
    setTyped(
      JSON.stringify(next) === before ? null : { draft: next, base, restored: typed?.restored ?? null },
    );
  return {
    draft,
    now: stored,
    set: (change) => type({ ...draft, ...change }),
    replace: type,
    reset,
    stored: () => localStorage.removeItem(key),
    saved: () =>
      setTyped((current) => (current === typed || current === null ? null : { ...current, base: null })),
    done: () => {
      localStorage.removeItem(key);
      unmark();
      setTyped(null);
    },
    isChanged,
    isMoved: isChanged && base !== before,
    rebase: () => setTyped((current) => (current === null ? null : { ...current, base: before })),
    restored: isChanged && typed !== null ? typed.restored : null,
  };
}

const isSame = (key: string, draft: string): boolean =>
  JSON.stringify((JSON.parse(localStorage.getItem(key) ?? 'null') as Kept | null)?.draft) === draft;

const restoredFrom = <T>(kept: Kept | null, stored: T): Typed<T> | null =>
  kept === null
    ? null
    : {
        draft: kept.draft as T,
        base: kept.stored,
        restored: { at: kept.at, isOld: kept.stored !== JSON.stringify(stored) },
      };
