import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl, TextField } from '../../ui/controls.tsx';
import { formatNumber } from '../../ui/format.tsx';
import { Badge, Card, ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const FOUND_BY = {
  question: 'Same question',
  words: 'Words',
  meaning: 'Meaning',
} as const;

export type Found = Answer<'queryKnowledgeBase'>['chunks'][number];

/** Searches as an assistant does, and shows what it would read. */
export function TestSearch({
  kbId,
  onFound,
}: {
  kbId: string;
  onFound: (chunks: readonly Found[]) => void;
}): ReactNode {
  const [query, setQuery] = useState('');
  const search = useChange('queryKnowledgeBase');
  const input = { kb_id: kbId, query: query.trim() };
  return (
    <Card title={t('Test search')}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          search.mutate(input, { onSuccess: ({ chunks }) => onFound(chunks) });
        }}
      >
        <TextField
          label={t('A question of a caller')}
          required
          maxLength={1000}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={search.isPending}>
            {t('Search')}
          </Button>
          <CopyCurl operation="queryKnowledgeBase" input={input} />
        </div>
      </form>
      {search.isError ? (
        <div className="mt-4">
          <ErrorNote error={search.error} />
        </div>
      ) : null}
      <div aria-live="polite" className="mt-4">
        {search.data === undefined ? null : search.data.chunks.length === 0 ? (
          <p className="text-muted">{t('Nothing was found: an assistant would have no answer from here.')}</p>
        ) : (
          <ol className="flex flex-col gap-3">
            {search.data.chunks.map((chunk) => (
              <li
                key={`${chunk.source.id} ${chunk.position}`}
                className="rounded-md border border-line px-4 py-3"
              >
                <p className="mb-1 flex flex-wrap items-center gap-2 text-sm">
                  <span className="font-medium wrap-anywhere">{chunk.source.name}</span>
                  {chunk.found_by.map((way) => (
                    <Badge key={way}>{t(FOUND_BY[way])}</Badge>
                  ))}
                  <span className="text-muted">
                    {t('Score {score}', { score: formatNumber(chunk.score) })}
                  </span>
                  <Link
                    to="/knowledge/$kbId"
                    params={{ kbId }}
                    search={{ source: chunk.source.id, chunk: chunk.position }}
                    className="text-accent underline"
                  >
                    {t('Passage {position}', { position: formatNumber(chunk.position + 1) })}
                  </Link>
                </p>
                {chunk.heading === null ? null : <p className="text-sm text-muted">{chunk.heading}</p>}
                <p className="wrap-anywhere whitespace-pre-wrap">{chunk.text}</p>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Card>
  );
}
