import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { buttonClass, SelectField } from '../../ui/controls.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, EmptyState } from '../../ui/page.tsx';
import { TemplateField } from '../../parts/template-field.tsx';
import type { Template } from '../../parts/whatsapp-template.tsx';
import { t } from '../../words/words.ts';

/** The approved template that a campaign of an assistant on WhatsApp sends to every contact. */
export function TemplateCard({
  agentId,
  template,
  error,
  onChange,
}: {
  agentId: string;
  template: Template | null;
  error: string | undefined;
  onChange: (template: Template | null) => void;
}): ReactNode {
  const numbers = useRead('listWhatsappNumbers', {});
  const [chosen, setChosen] = useState('');
  const own = (numbers.data?.whatsapp_numbers ?? []).filter((number) => number.agent_id === agentId);
  const number = own.find(({ id }) => id === chosen) ?? own[0];
  const templates = useRead(
    'listWhatsappTemplates',
    { whatsapp_number_id: number?.id ?? '' },
    { enabled: number !== undefined },
  );
  return (
    <Card title={t('Template')}>
      <Loaded read={numbers}>
        {() =>
          number === undefined ? (
            <EmptyState
              title={t('The assistant has no WhatsApp number')}
              action={
                <Link to="/whatsapp" className={buttonClass('primary')}>
                  {t('Attach a number')}
                </Link>
              }
            >
              {t('A campaign sends from a number of its assistant.')}
            </EmptyState>
          ) : (
            <div className="flex flex-col gap-4">
              {own.length === 1 ? null : (
                <SelectField
                  label={t('Account of the number')}
                  value={number.id}
                  onChange={(event) => {
                    setChosen(event.target.value);
                    onChange(null);
                  }}
                >
                  {own.map(({ id, number: shown, display_name: name }) => (
                    <option key={id} value={id}>
                      {shown} {name}
                    </option>
                  ))}
                </SelectField>
              )}
              <Loaded read={templates}>
                {({ templates: list }) => (
                  <TemplateField
                    label={t('Template that every contact gets')}
                    templates={list}
                    template={template}
                    error={error}
                    refusal={({ is_sendable: isSendable, reason }) =>
                      isSendable ? null : (reason ?? t('WhatsApp gives no reason'))
                    }
                    onChange={onChange}
                  />
                )}
              </Loaded>
            </div>
          )
        }
      </Loaded>
    </Card>
  );
}
