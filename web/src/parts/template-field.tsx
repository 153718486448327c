import type { ReactNode } from 'react';
import { SelectField } from '../ui/controls.tsx';
import { templateKey, TemplatePreview, type Template } from './whatsapp-template.tsx';
import { t } from '../words/words.ts';

/** Chooses an approved template and shows it. `refusal`: why one cannot be used here; null: it can. */
export function TemplateField({
  label,
  templates,
  template,
  error,
  refusal,
  onChange,
}: {
  label: string;
  templates: readonly Template[];
  template: Template | null;
  error: string | undefined;
  refusal: (template: Template) => string | null;
  onChange: (template: Template | null) => void;
}): ReactNode {
  return (
    <>
      <SelectField
        label={label}
        required
        value={template === null ? '' : templateKey(template)}
        error={error}
        hint={t('WhatsApp approves templates; only with one a business writes first.')}
        onChange={({ target: { value } }) =>
          onChange(templates.find((each) => templateKey(each) === value) ?? null)
        }
      >
        <option value="">{t('Choose')}</option>
        {templates.map((each) => {
          const reason = refusal(each);
          return (
            <option key={templateKey(each)} value={templateKey(each)} disabled={reason !== null}>
              {each.name} ({each.language})
              {reason === null ? '' : `: ${t('cannot be sent, {reason}', { reason })}`}
            </option>
          );
        })}
      </SelectField>
      {template === null ? null : <TemplatePreview template={template} />}
    </>
  );
}
