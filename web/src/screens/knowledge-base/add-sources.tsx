import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { DraftNotice } from '../../drafts/draft-notice.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { hasSources, NO_TEXTS, sourceForm, type Sources } from '../../parts/knowledge-sources.ts';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { SourceFields } from '../../parts/source-fields.tsx';
import { t } from '../../words/words.ts';

const NAMES = { files: 'new_files', urls: 'new_urls', faqs: 'new_faqs' };

const NO_FILES = { files: [], round: 0 };

const isSameText = (one: Sources | null, other: Sources): boolean =>
  one !== null && one.urls === other.urls && one.faqs === other.faqs;

/** Further sources of a knowledge base. */
export function AddSources({ kbId }: { kbId: string }): ReactNode {
  const kept = useDraft(NO_TEXTS, `Further sources ${kbId}`, 'Further sources');
  /** `round` grows each time the file input is emptied. */
  const [{ files, round }, setChosen] = useState<{ files: readonly File[]; round: number }>(NO_FILES);
  const sources: Sources = { files, ...kept.draft };
  const latest = useRef(sources);
  useEffect(() => {
    latest.current = sources;
  });
  /** What the request that is under way has. */
  const sent = useRef<Sources | null>(null);
  const change = useChange('changeKnowledgeBase', ['getKnowledgeBase', 'listKnowledgeBases'], () => {
    if (isSameText(sent.current, sources)) kept.stored();
    return undefined;
  });
  const form = sourceForm({ kb_id: kbId }, sources, NAMES);
  return (
    <Card title={t('Add to it')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          sent.current = sources;
          change.mutate(
            { form },
            {
              onSuccess: () => {
                // What somebody typed or chose since the request left stays.
                const now = latest.current;
                kept.replace({
                  urls: now.urls === sources.urls ? NO_TEXTS.urls : now.urls,
                  faqs: now.faqs === sources.faqs ? NO_TEXTS.faqs : now.faqs,
                });
                setChosen((before) =>
                  before.files === files ? { files: [], round: before.round + 1 } : before,
                );
              },
            },
          );
        }}
      >
        <DraftNotice form={kept} lost="Choose the files again." />
        <SourceFields
          sources={sources}
          round={round}
          onChange={(next) => {
            if (next.files !== files) setChosen({ files: next.files, round });
            if (!isSameText(next, sources)) kept.replace({ urls: next.urls, faqs: next.faqs });
          }}
        />
        {change.isError ? <ErrorNote error={change.error} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" disabled={!hasSources(sources)} busy={change.isPending}>
            {t('Add')}
          </Button>
          <CopyCurl operation="changeKnowledgeBase" input={{ form }} />
        </div>
      </form>
    </Card>
  );
}
