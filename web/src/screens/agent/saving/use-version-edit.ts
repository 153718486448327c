import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { ApiFailure } from '../../../api/client.ts';
import { readAgain } from '../../../api/queries.ts';
import { notify, type Message } from '../../../ui/toasts.ts';
import type { Edit, Version } from '../types.ts';
import { t } from '../../../words/words.ts';
import { useEdits } from './edits-of.tsx';

interface Change {
  readonly edit: Edit;
  /** Whether somebody else changed the same in the version that the page shows now. */
  readonly isMoved?: (now: Version) => boolean;
}
const MOVED = 'Somebody else changed this meanwhile. The page shows it now: look at it, then try again.';

/** Sends a single edit of the shown version, beside the Save bar. `done` gets it with the id of the version that it was made in. */
export function useVersionEdit(
  done: (edit: Edit, versionId: string) => string | Message | undefined,
): UseMutationResult<string, ApiFailure, Change> {
  const edits = useEdits();
  return useMutation<string, ApiFailure, Change>({
    mutationFn: async ({ edit, isMoved }) => {
      const outcome = await edits.send(({ version }) =>
        isMoved?.(version) === true ? 'moved' : { edit, isAtOnce: false },
      );
      if (outcome === 'moved') throw new ApiFailure(409, { code: 'DRAFT_MOVED', message: t(MOVED) });
      return outcome.version;
    },
    onSuccess: (versionId, { edit }) => {
      const what = done(edit, versionId);
      const message: Message | undefined = typeof what === 'string' ? { text: what } : what;
      if (message === undefined) return;
      const { undo } = message;
      notify({ ...message, undo: undo && (() => undo().finally(() => void readAgain(['getAgent']))) });
    },
  });
}
