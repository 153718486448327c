import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { DraftNotice } from '../../drafts/draft-notice.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { Button, CopyCurl, TextField } from '../../ui/controls.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { NO_TEXTS, sourceForm, type Sources } from '../../parts/knowledge-sources.ts';
import { SourceFields } from '../../parts/source-fields.tsx';
import { t } from '../../words/words.ts';

/** A new knowledge base with its first sources. */
export function CreateKnowledge(): ReactNode {
  const kept = useDraft({ name: '', ...NO_TEXTS }, 'New knowledge base');
  const { name, urls, faqs } = kept.draft;
  const [files, setFiles] = useState<readonly File[]>([]);
  const sources: Sources = { files, urls, faqs };
  const create = useChange('createKnowledgeBase', ['listKnowledgeBases'], () => {
    kept.stored();
    return undefined;
  });
  const navigate = useNavigate();
  const form = sourceForm({ kb_name: name.trim() }, sources, { files: 'files', urls: 'urls', faqs: 'faqs' });
  return (
    <Card title={t('New knowledge base')}>
      <form
        className="flex max-w-2xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(
            { form },
            {
              onSuccess: ({ kb_id: kbId }) => {
                kept.done();
                void navigate({ to: '/knowledge/$kbId', params: { kbId } });
              },
            },
          );
        }}
      >
        <DraftNotice form={kept} lost="Choose the files again." />
        <TextField
          label={t('Name of the knowledge base')}
          required
          maxLength={100}
          value={name}
          error={create.error?.fields.get('kb_name')}
          onChange={(event) => kept.set({ name: event.target.value })}
        />
        <SourceFields
          sources={sources}
          onChange={({ files: chosen, ...texts }) => {
            setFiles(chosen);
            kept.set(texts);
          }}
        />
        {create.isError ? <ErrorNote error={create.error} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={create.isPending}>
            {t('Create')}
          </Button>
          <CopyCurl operation="createKnowledgeBase" input={{ form }} />
        </div>
      </form>
    </Card>
  );
}
