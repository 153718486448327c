import { useState } from 'react';

/** What a form holds. Until something is typed it follows what is stored. */
export function useDraft<T>(stored: T): {
  draft: T;
  set: (change: Partial<T>) => void;
  replace: (draft: T) => void;
  reset: () => void;
  /** Forgets what was sent: the service may have stored it in another form. Later typing stays. */
  saved: () => void;
  isChanged: boolean;
} {
  const [typed, setTyped] = useState<{ readonly draft: T } | null>(null);
  const draft = typed === null ? stored : typed.draft;
  return {
    draft,
    set: (change) => setTyped({ draft: { ...draft, ...change } }),
    replace: (next) => setTyped({ draft: next }),
    reset: () => setTyped(null),
    saved: () => setTyped((current) => (current === typed ? null : current)),
    isChanged: JSON.stringify(draft) !== JSON.stringify(stored),
  };
}
