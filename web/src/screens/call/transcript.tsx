import { useEffect, useRef, type ReactNode } from 'react';
import { spokenText } from '../../parts/spoken-text.ts';
import { formatSeconds } from '../../ui/format.tsx';
import { spokenAt, type Line } from './transcript-lines.ts';
import { t } from '../../words/words.ts';

/** The conversation. With a recording a line seeks to its second, and the spoken one is marked and stays in view. */
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
  const list = useRef<HTMLOListElement>(null);
  const spoken = second === null ? -1 : spokenAt(lines, second);
  useEffect(() => {
    const [box, line] = [list.current, list.current?.children[spoken]];
    if (!box || !(line instanceof HTMLElement)) return;
    const top = line.offsetTop - box.offsetTop;
    const isInView = top >= box.scrollTop && top + line.offsetHeight <= box.scrollTop + box.clientHeight;
    // Scrolls the list only: the page stays where the reader has it.
    if (!isInView) box.scrollTo({ top: top - box.clientHeight / 3 });
  }, [spoken]);
  if (isErased) return <p className="text-muted">{t('The words of this call were erased.')}</p>;
  if (lines.length === 0) return <p className="text-muted">{t('Nothing was said in this call.')}</p>;
  return (
    <>
      {isPartial ? (
        <p className="mb-3 text-sm text-warn">
          {t('The process stopped during the call: the last line may be missing.')}
        </p>
      ) : null}
      <ol
        ref={list}
        aria-label={t('Transcript')}
        // Focusable, so that the keyboard can scroll it.
        tabIndex={0}
        className="-mx-2 flex max-h-[36rem] flex-col gap-1 overflow-y-auto"
      >
        {lines.map((line, index) => (
          <TranscriptLine
            // The lines of an ended call never change their order.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            line={line}
            isSpoken={index === spoken}
            onSeek={onSeek}
          />
        ))}
      </ol>
    </>
  );
}

function TranscriptLine({
  line: { speaker, text, second, agent },
  isSpoken,
  onSeek,
}: {
  line: Line;
  isSpoken: boolean;
  onSeek: ((second: number) => void) | null;
}): ReactNode {
  const seek = onSeek === null || second === null ? null : () => onSeek(second);
  return (
    // The button has the same effect for the keyboard.
    // oxlint-disable-next-line jsx_a11y/click-events-have-key-events, jsx_a11y/no-noninteractive-element-interactions
    <li
      aria-current={isSpoken ? 'true' : undefined}
      className={`grid grid-cols-[5.5rem_1fr] gap-3 rounded-md border-l-2 border-transparent px-2 py-1.5 aria-[current=true]:border-accent aria-[current=true]:bg-raised ${seek === null ? '' : 'cursor-pointer hover:bg-raised'}`}
      onClick={() => {
        // Words that are being selected are to be copied.
        if (getSelection()?.isCollapsed !== false) seek?.();
      }}
    >
      <span className={speaker === 'agent' ? 'text-assistant' : 'text-person'}>
        <span className="wrap-anywhere">{speaker === 'agent' ? (agent ?? t('Assistant')) : t('Person')}</span>
        {seek === null ? null : (
          <button
            type="button"
            className="block min-h-6 max-sm:min-h-control max-sm:min-w-control rounded text-left text-sm text-muted tabular-nums underline decoration-dotted hover:text-ink"
            aria-label={t('Play from {time}', { time: formatSeconds(second) })}
            onClick={(event) => {
              event.stopPropagation();
              seek();
            }}
          >
            {formatSeconds(second)}
          </button>
        )}
      </span>
      <p className="wrap-anywhere whitespace-pre-wrap">{spokenText(text)}</p>
    </li>
  );
}
