import type { ReactNode } from 'react';
import { FLOW_TEMPLATES } from '../../../../src/shared/flow-templates/list.ts';
import { SelectField } from '../../ui/controls.tsx';
import { Card } from '../../ui/page.tsx';
import { fromTemplate, templateOf, type Draft } from './draft.ts';
import { t } from '../../words/words.ts';

const TYPES: Readonly<Record<Draft['type'], string>> = {
  outbound: 'Calls people',
  inbound: 'Answers calls',
  outbound_inbound: 'Calls people and answers calls',
  whatsapp: 'Writes with people',
};

/** What a new assistant is for, and what it starts from: nothing, or a template with a flow and test cases. */
export function PurposeCard({
  draft,
  set,
}: {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
}): ReactNode {
  const template = templateOf(draft);
  return (
    <Card title={t('What the assistant is for')}>
      <div className="flex flex-col gap-3">
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={t('What it does')}
            value={draft.type}
            onChange={(event) => set({ type: event.target.value as Draft['type'] })}
          >
            {Object.entries(TYPES).map(([type, name]) => (
              <option key={type} value={type}>
                {t(name)}
              </option>
            ))}
          </SelectField>
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
        </div>
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
