import type { ReactNode } from 'react';
import type { FlowDocument } from './flow-document.ts';
import type { Row } from './outline-rows.ts';
import { edgeOf, type Move } from './trace.ts';
import { formatTenths } from '../../ui/format.tsx';
import { t } from '../../words/words.ts';

/** The moves of a conversation, each with its reason; those over an edge of this flow select it. */
export function MovesList({
  flow,
  moves,
  at,
  onRow,
}: {
  flow: FlowDocument;
  moves: readonly (Move & { readonly seconds?: number })[];
  /** How many moves are over; the list marks the last of them. */
  at: number;
  onRow: (row: Row) => void;
}): ReactNode {
  return (
    <ol
      aria-label={t('Moves through the flow')}
      className="flex max-h-72 flex-col gap-1 overflow-y-auto text-sm"
      tabIndex={0}
    >
      {moves.map((move, index) => {
        const row = edgeOf(flow, move);
        const text = (
          <>
            {move.seconds === undefined ? null : (
              <span className="text-muted">{formatTenths(move.seconds)} s </span>
            )}
            <code className="font-mono">{move.from}</code> → <code className="font-mono">{move.to}</code>{' '}
            <span className="text-muted">({move.by})</span>
          </>
        );
        return (
          <li
            // A conversation may move the same way twice.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            aria-current={index === at - 1 ? 'step' : undefined}
            className={`rounded-sm px-1 wrap-anywhere ${index === at - 1 ? 'bg-raised' : ''}`}
          >
            {row === null ? (
              text
            ) : (
              <button
                type="button"
                className="text-left underline-offset-2 hover:underline"
                onClick={() => onRow(row)}
              >
                {text}
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}
