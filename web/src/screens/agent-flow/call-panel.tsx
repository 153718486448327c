import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { Button } from '../../ui/controls.tsx';
import { ErrorNote, Loading } from '../../ui/page.tsx';
import type { FlowDocument } from './flow-document.ts';
import { MovesList } from './moves-list.tsx';
import type { Row } from './outline-rows.ts';
import { reached } from './trace.ts';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

/** A finished call over the flow, move by move. `onLit` gets the step that the shown moves lead to. */
export function CallPanel({
  callId,
  flow,
  onLit,
  onRow,
}: {
  callId: string;
  flow: FlowDocument;
  onLit: (id: string | null) => void;
  onRow: (row: Row) => void;
}): ReactNode {
  const read = useRead('replayCall', { id: callId });
  const [at, setAt] = useState(0);
  if (read.isPending) return <Loading />;
  if (read.isError) return <ErrorNote error={read.error} retry={() => void read.refetch()} />;
  const moves = read.data.data.flow_steps;
  const show = (count: number): void => {
    setAt(count);
    onLit(reached(flow, moves.slice(0, count)));
  };
  return (
    <section aria-label={t('Moves of the call')} className="flex flex-col gap-3">
      {moves.length === 0 ? (
        <p className="text-sm text-muted">{t('The call did not leave the first step.')}</p>
      ) : (
        <>
          <label className="flex flex-col gap-1 text-sm font-medium">
            {rich('Move {at} of {length}{input}', {
              at,
              length: moves.length,
              input: (
                <input
                  type="range"
                  min={0}
                  max={moves.length}
                  value={at}
                  className="w-full accent-accent"
                  onChange={(event) => show(Number(event.target.value))}
                />
              ),
            })}
          </label>
          <div className="flex gap-2">
            <Button disabled={at === 0} onClick={() => show(at - 1)}>
              {t('Back')}
            </Button>
            <Button disabled={at === moves.length} onClick={() => show(at + 1)}>
              {t('Next move')}
            </Button>
          </div>
          <MovesList flow={flow} moves={moves} at={at} onRow={onRow} />
        </>
      )}
    </section>
  );
}
