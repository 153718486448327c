import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { DraftNotice } from '../../drafts/draft-notice.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { hasSources, NO_TEXTS, sourceForm, type Sources } from '../../parts/knowledge-sources.ts';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { SourceFields } from '../../parts/source-fields.tsx';
import { t } from '../../words/words.ts';

const NAMES = { files: 'new_files', urls: 'new_urls', faqs: 'new_faqs' };

/** Further sources of a knowledge base. */
export function AddSources({ kbId }: { kbId: string }): ReactNode {
  const kept = useDraft(NO_TEXTS, `Further sources ${kbId}`, 'Further sources');
  const [files, setFiles] = useState<readonly File[]>([]);
  const sources: Sources = { files, ...kept.draft };
  // A file input cannot be emptied: a new one replaces it.
  const [round, setRound] = useState(0);
  const change = useChange('changeKnowledgeBase', ['getKnowledgeBase', 'listKnowledgeBases'], () => {
    kept.stored();
    return undefined;
  });
  const form = sourceForm({ kb_id: kbId }, sources, NAMES);
  return (
    <Card title={t('Add to it')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(
            { form },
            {
              onSuccess: () => {
                kept.done();
                setFiles([]);
                setRound(round + 1);
              },
            },
          );
        }}
      >
        <DraftNotice form={kept} lost="Choose the files again." />
        <SourceFields
          key={round}
          sources={sources}
          onChange={({ files: chosen, ...texts }) => {
            setFiles(chosen);
            kept.replace(texts);
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
