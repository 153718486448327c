import type { ReactNode } from 'react';
import { FLOW_TEMPLATES } from '../../../../src/shared/flow-templates/list.ts';
import { SelectField } from '../../ui/controls.tsx';
import { Card } from '../../ui/page.tsx';
import { fromTemplate, templateOf, type Draft } from './draft.ts';
import { t } from '../../words/words.ts';

/** What a new assistant starts from: nothing, or a template with a flow and test cases. */
export function TemplateCard({
  draft,
  set,
}: {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
}): ReactNode {
  const template = templateOf(draft);
  return (
    <Card title={t('Template')}>
      <div className="flex flex-col gap-3">
        <SelectField
          label={t('Start from')}
          value={template?.id ?? ''}
          onChange={(event) => set(fromTemplate(draft, event.target.value))}
        >
          <option value="">{t('Nothing: write everything')}</option>
          {FLOW_TEMPLATES.map(({ id, name }) => (
            <option key={id} value={id}>
              {t(name)}
            </option>
          ))}
        </SelectField>
        <p className="text-sm text-muted">
          {template === undefined
            ? t('A template fills in the texts below and brings fixed steps, which need no language model.')
            : t('{summary} In English, with {length} test cases. It has replaced the texts below.', {
                summary: t(template.summary),
                length: template.cases.length,
              })}
        </p>
      </div>
    </Card>
  );
}
