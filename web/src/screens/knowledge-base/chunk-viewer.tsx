import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { formatCount, formatNumber } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import type { Found } from './test-search.tsx';
import { PAGE_SIZE, pageOf } from './viewer-search.ts';
import { t } from '../../words/words.ts';

type Chunks = Answer<'listKnowledgeChunks'>;
type Chunk = Chunks['chunks'][number];

/** The chunks of a source in their order; those that the last test search found are marked. */
export function ChunkViewer({
  kbId,
  sourceId,
  position,
  found,
  onClose,
}: {
  kbId: string;
  sourceId: string;
  /** The chunk that a link leads to; null: the first. */
  position: number | null;
  found: readonly Found[];
  onClose: () => void;
}): ReactNode {
  const [page, setPage] = useState(pageOf(position ?? 0));
  const input = {
    kb_id: kbId,
    source_id: sourceId,
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  };
  const read = useRead('listKnowledgeChunks', input, { keep: true });
  const scores = new Map(
    found.filter(({ source }) => source.id === sourceId).map((each) => [each.position, each.score]),
  );
  return (
    <section aria-label={t('Passages')} className="rounded-lg border border-line bg-surface p-4">
      <Loaded read={read}>
        {({ source, total, chunks }) => (
          <div className="flex flex-col gap-4">
            <div className="flex flex-wrap items-start justify-between gap-3">
              <div className="min-w-0">
                <h2 className="text-base font-semibold wrap-anywhere">
                  {t('Passages of {name}', { name: source.name })}
                </h2>
                <p className="text-muted">
                  {t('{total}: a search finds these parts, not the whole source.{size}', {
                    total: formatCount(total, 'passage'),
                    size:
                      scores.size === 0
                        ? ''
                        : ` ${t('The test search found {size} of them.', { size: formatNumber(scores.size) })}`,
                  })}
                </p>
              </div>
              <div className="flex gap-2">
                <CopyCurl operation="listKnowledgeChunks" input={input} />
                <Button onClick={onClose}>{t('Close')}</Button>
              </div>
            </div>
            {total === 0 ? (
              <p className="text-muted">{source.error ?? t('None yet: the source waits to be read.')}</p>
            ) : (
              <ol className="flex flex-col gap-3">
                {chunks.map((chunk) => (
                  <ChunkItem
                    key={chunk.position}
                    chunk={chunk}
                    score={scores.get(chunk.position) ?? null}
                    isLinked={chunk.position === position}
                  />
                ))}
              </ol>
            )}
            <Pager total={total} page={page} size={PAGE_SIZE} names={['Previous', 'Next']} onPage={setPage} />
          </div>
        )}
      </Loaded>
    </section>
  );
}

function ChunkItem({
  chunk,
  score,
  isLinked,
}: {
  chunk: Chunk;
  /** Null: the test search did not find it. */
  score: number | null;
  /** Whether a link led here: it gets the focus. */
  isLinked: boolean;
}): ReactNode {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isLinked) item.current?.focus();
  }, [isLinked]);
  const look = score === null && !isLinked ? 'border-line' : 'border-accent';
  return (
    <li ref={item} tabIndex={-1} className={`list-none rounded-md border px-4 py-3 ${look}`}>
      <p className="mb-1 flex flex-wrap items-center gap-2 text-sm">
        <span className="font-medium">
          {t('Passage {position}', { position: formatNumber(chunk.position + 1) })}
        </span>
        <span className="text-muted">{formatCount(chunk.length, 'character')}</span>
        {score === null ? null : (
          <Badge tone="accent">{t('Found, score {score}', { score: formatNumber(score) })}</Badge>
        )}
      </p>
      {chunk.heading === null ? null : <p className="text-sm wrap-anywhere text-muted">{chunk.heading}</p>}
      {chunk.question === null ? null : <p className="font-medium wrap-anywhere">{chunk.question}</p>}
      <p className="wrap-anywhere whitespace-pre-wrap">{chunk.text}</p>
    </li>
  );
}
