import { useState, type ReactNode } from 'react';
import { Button, TextField } from '../../ui/controls.tsx';
import { lengthOf } from '../../ui/counted-area.tsx';
import { sectionName } from '../../parts/setting-names.ts';
import { VariableArea } from '../../parts/variable-area.tsx';
import type { VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { knownIn } from './undeclared.ts';
import { t } from '../../words/words.ts';

/** The sections of a new assistant with their limits; the script has the task and the sample conversations. */
const LIMITS: ReadonlyMap<string, number> = new Map([
  ['objective', 2000],
  ['response guidelines', 3000],
  ['conversation script', 6500],
  ['faqs', 5000],
]);
/** Of a section with another title. */
const OTHER_LIMIT = 30_000;
const limitOf = (title: string): number => LIMITS.get(title.trim().toLowerCase()) ?? OTHER_LIMIT;

/** What the assistant does, section by section. */
export function PromptCard(target: VersionProps): ReactNode {
  const form = useDraft(target.version.agent_config.prompt_sections, 'Instructions');
  const { draft, replace } = form;
  const [title, setTitle] = useState('');
  const variables = knownIn(target.version);
  const tooLong = draft.find((each) => lengthOf(each.section_content) > limitOf(each.section_title));
  const isTaken = draft.some(
    (each) => each.section_title.trim().toLowerCase() === title.trim().toLowerCase(),
  );
  const change = (at: number, content: string): void =>
    replace(draft.map((each, index) => (index === at ? { ...each, section_content: content } : each)));
  return (
    <EditCard
      title={t('Instructions')}
      target={target}
      edit={{ operation: 'edit_prompt', agent_prompt: { prompt_sections: draft } }}
      form={form}
      problem={
        tooLong === undefined
          ? draft.length === 0
            ? t('Keep at least one section.')
            : undefined
          : t('The section “{sectionTitle}” is too long.', {
              sectionTitle: sectionName(tooLong.section_title),
            })
      }
    >
      {() => (
        <>
          {draft.map((section, index) => (
            // Sections may share a title.
            // oxlint-disable-next-line react/no-array-index-key
            <div key={`${section.section_title} ${index}`} className="flex flex-col gap-1">
              <VariableArea
                label={
                  section.section_title === '' ? t('Without a title') : sectionName(section.section_title)
                }
                rows={Math.min(16, Math.max(4, section.section_content.split('\n').length + 1))}
                limit={limitOf(section.section_title)}
                variables={variables}
                value={section.section_content}
                readOnly={!target.mayEdit}
                onChange={(event) => change(index, event.target.value)}
              />
              {target.mayEdit ? (
                <div>
                  <Button
                    aria-label={t('Remove {sectionTitle}', {
                      sectionTitle: sectionName(section.section_title) || t('this section'),
                    })}
                    onClick={() => replace(draft.filter((_, at) => at !== index))}
                  >
                    {t('Remove')}
                  </Button>
                </div>
              ) : null}
            </div>
          ))}
          {target.mayEdit ? (
            <div className="flex flex-wrap items-end gap-2">
              <TextField
                label={t('Title of another section')}
                maxLength={200}
                value={title}
                error={title !== '' && isTaken ? t('There is one with this title.') : undefined}
                onChange={(event) => setTitle(event.target.value)}
              />
              <Button
                disabled={title.trim() === '' || isTaken}
                onClick={() => {
                  replace([...draft, { section_title: title.trim(), section_content: '' }]);
                  setTitle('');
                }}
              >
                {t('Add section')}
              </Button>
            </div>
          ) : null}
        </>
      )}
    </EditCard>
  );
}
