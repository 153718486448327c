import { useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useWorkspaceId } from '../../session/workspace.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge } from '../../ui/page.tsx';
import { templateKey, TemplatePreview } from '../../parts/whatsapp-template.tsx';
import { t } from '../../words/words.ts';

/** The message templates of the number's account, on demand: WhatsApp is asked for them. */
export function Templates({ numberId }: { numberId: string }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const [isReading, setIsReading] = useState(false);
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  const input = { whatsapp_number_id: numberId };
  const read = useRead('listWhatsappTemplates', input, { enabled: isOpen });
  // The service keeps the list for five minutes; this reads it from WhatsApp now.
  const refresh = async (): Promise<void> => {
    setIsReading(true);
    try {
      const fresh = await call('listWhatsappTemplates', { ...input, refresh: true });
      client.setQueryData([workspace, 'listWhatsappTemplates', input], fresh);
    } catch {
      await read.refetch();
    } finally {
      setIsReading(false);
    }
  };
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? t('Hide the templates') : t('Show the templates')}
        </Button>
        {isOpen ? (
          <Button busy={isReading} onClick={() => void refresh()}>
            {t('Read again')}
          </Button>
        ) : null}
        <CopyCurl operation="listWhatsappTemplates" input={input} of={t('the templates')} />
      </div>
      {isOpen ? (
        <Loaded read={read}>
          {({ templates }) =>
            templates.length === 0 ? (
              <p className="text-muted">
                {t('The account has no templates. Create them in Meta’s WhatsApp Manager.')}
              </p>
            ) : (
              <ul className="grid gap-4 md:grid-cols-2" aria-label={t('Templates')}>
                {templates.map((template) => (
                  <li key={templateKey(template)} className="flex min-w-0 flex-col gap-2">
                    <p className="flex flex-wrap items-center gap-2">
                      <span className="font-medium wrap-anywhere">{template.name}</span>
                      <span className="text-sm text-muted">{template.language}</span>
                      <Badge tone={template.is_sendable ? 'good' : 'warn'}>
                        {template.is_sendable ? t('Can be sent') : t('Cannot be sent')}
                      </Badge>
                    </p>
                    {template.reason === null ? null : (
                      <p className="text-sm wrap-anywhere text-muted">{template.reason}</p>
                    )}
                    <TemplatePreview template={template} />
                    <p className="text-sm text-muted">
                      {template.variables.length === 0
                        ? t('No variables.')
                        : t('Variables: {value}.', { value: template.variables.join(', ') })}
                    </p>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      ) : null}
    </div>
  );
}
