import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { TextArea } from '../../ui/controls.tsx';
import { Card } from '../../ui/page.tsx';
import type { VersionProps } from './agent-page.tsx';
import { SaveBar } from './save-bar.tsx';

/** What the assistant does, section by section. */
export function PromptCard({ agentId, version, mayEdit }: VersionProps): ReactNode {
  const stored = version.agent_config.prompt_sections;
  const [texts, setTexts] = useState(() => stored.map((section) => section.section_content));
  const edit = useChange('editAgent', ['getAgent']);
  const isChanged = stored.some((section, index) => section.section_content !== texts[index]);
  return (
    <Card title="Instructions">
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          edit.mutate({
            operation: 'edit_prompt',
            agent_id: agentId,
            version_id: version.version_id,
            agent_prompt: {
              prompt_sections: stored.map((section, index) => ({
                section_title: section.section_title,
                section_content: texts[index] ?? '',
              })),
            },
          });
        }}
      >
        {stored.map((section, index) => (
          <TextArea
            key={section.section_title}
            label={section.section_title}
            rows={Math.min(16, Math.max(4, (texts[index] ?? '').split('\n').length + 1))}
            value={texts[index] ?? ''}
            readOnly={!mayEdit}
            hint={`${(texts[index] ?? '').length} characters`}
            onChange={(event) =>
              setTexts(texts.map((text, at) => (at === index ? event.target.value : text)))
            }
          />
        ))}
        {mayEdit ? (
          <SaveBar
            isChanged={isChanged}
            isBusy={edit.isPending}
            isSaved={edit.isSuccess}
            error={edit.error}
            onReset={() => setTexts(stored.map((section) => section.section_content))}
          />
        ) : null}
      </form>
    </Card>
  );
}
