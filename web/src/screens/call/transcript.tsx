import type { ReactNode } from 'react';
import { formatSeconds } from '../../ui/format.tsx';
import { spokenAt, type Line } from './transcript-lines.ts';

/** The conversation. With a recording a line seeks to its second, and the spoken one is marked. */
export function Transcript({
  lines,
  isPartial,
  isErased,
  second,
  onSeek,
}: {
  lines: readonly Line[];
  isPartial: boolean;
  isErased: boolean;
  second: number | null;
  onSeek: ((second: number) => void) | null;
}): ReactNode {
  if (isErased) return <p className="text-muted">The words of this call were erased.</p>;
  if (lines.length === 0) return <p className="text-muted">Nothing was said in this call.</p>;
  const spoken = second === null ? -1 : spokenAt(lines, second);
  return (
    <>
      {isPartial ? (
        <p className="mb-3 text-sm text-warn">
          The process stopped during the call: the last line may be missing.
        </p>
      ) : null}
      <ol className="flex flex-col gap-1">
        {lines.map((line, index) => (
          <li
            // The lines of an ended call never change their order.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            aria-current={index === spoken ? 'true' : undefined}
            className="grid grid-cols-[5.5rem_1fr] gap-3 rounded-md px-2 py-1.5 aria-[current=true]:bg-raised"
          >
            <span className={line.speaker === 'agent' ? 'text-accent' : 'text-good'}>
              {line.speaker === 'agent' ? 'Assistant' : 'Person'}
              {onSeek === null || line.second === null ? null : (
                <button
                  type="button"
                  className="block rounded text-sm text-muted underline decoration-dotted hover:text-ink"
                  aria-label={`Play from ${formatSeconds(line.second)}`}
                  onClick={() => onSeek(line.second ?? 0)}
                >
                  {formatSeconds(line.second)}
                </button>
              )}
            </span>
            <p className="whitespace-pre-wrap">{line.text}</p>
          </li>
        ))}
      </ol>
    </>
  );
}
