import type { ReactNode } from 'react';
import type { ApiFailure } from '../../api/client.ts';
import { Button } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';

/** Saves or discards the changes of one card, and says what came of it. */
export function SaveBar({
  isChanged,
  isBusy,
  isSaved,
  error,
  onReset,
}: {
  isChanged: boolean;
  isBusy: boolean;
  isSaved: boolean;
  error: ApiFailure | null;
  onReset: () => void;
}): ReactNode {
  return (
    <>
      {error === null ? null : <ErrorNote error={error} />}
      <div className="flex min-h-9 items-center gap-2">
        <Button type="submit" look="primary" busy={isBusy} disabled={!isChanged}>
          Save
        </Button>
        {isChanged ? <Button onClick={onReset}>Discard</Button> : null}
        <span role="status" className="text-sm text-good">
          {isSaved && !isChanged ? 'Saved.' : ''}
        </span>
      </div>
    </>
  );
}
