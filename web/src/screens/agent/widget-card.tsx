import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useWidget } from '../../api/widget.ts';
import { sessionQuery } from '../../session/session.ts';
import { CopyButton, SelectField, TextField } from '../../ui/controls.tsx';
import { Card } from '../../ui/page.tsx';
import type { Agent } from './types.ts';
import { WidgetPreview } from './widget-preview.tsx';
import { USUAL_LOOK, type WidgetLook, widgetSnippet } from '@callwright/widget';
import { t } from '../../words/words.ts';

const POSITIONS: Readonly<Record<WidgetLook['position'], string>> = {
  'bottom-right': 'Floating, bottom right',
  'bottom-left': 'Floating, bottom left',
  'in-page': 'In the page, where the element stands',
};

/** The widget of a web site: how it looks, a preview, and the snippet. */
export function WidgetCard({ agent, mayCall }: { agent: Agent; mayCall: boolean }): ReactNode {
  const widget = useWidget();
  const origin = useQuery(sessionQuery).data?.public_url ?? location.origin;
  const [look, setLook] = useState(USUAL_LOOK);
  const set = (change: Partial<WidgetLook>): void => setLook({ ...look, ...change });
  if (widget === null) return null;
  const snippet = widgetSnippet(origin, widget, look, agent);
  return (
    <Card title={t('Widget')}>
      <div className="flex flex-col gap-4">
        <p className="-mt-2 text-sm text-muted">
          {t('People call the assistant from a page of your web site. Allow the address of the site first.')}
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label={t('Place on the page')}
            value={look.position}
            onChange={(event) => set({ position: event.target.value as WidgetLook['position'] })}
          >
            {Object.entries(POSITIONS).map(([position, name]) => (
              <option key={position} value={position}>
                {t(name)}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t('People')}
            value={look.mode}
            onChange={(event) => set({ mode: event.target.value as WidgetLook['mode'] })}
          >
            <option value="voice">{t('Speak, and may type')}</option>
            <option value="text">{t('Type only')}</option>
          </SelectField>
          <TextField
            label={t('Words on the button')}
            placeholder={t('Talk to us')}
            maxLength={60}
            value={look.label}
            onChange={(event) => set({ label: event.target.value })}
          />
          <TextField
            label={t('Heading')}
            placeholder={t('Call')}
            maxLength={60}
            value={look.heading}
            onChange={(event) => set({ heading: event.target.value })}
          />
          <TextField
            label={t('Colour of the button')}
            type="color"
            value={look.accent}
            onChange={(event) => set({ accent: event.target.value })}
          />
          <TextField
            label={t('Rounding of corners, pixels')}
            type="number"
            min={0}
            max={40}
            value={look.radius}
            onChange={(event) => set({ radius: event.target.value })}
          />
        </div>
        {mayCall ? <WidgetPreview agent={agent} widget={widget} look={look} /> : null}
        <div className="flex flex-col items-start gap-2">
          <p className="text-sm font-medium">{t('Put this into the pages of your web site')}</p>
          <pre
            className="w-full overflow-x-auto rounded-md bg-raised p-3 font-mono text-xs"
            tabIndex={0}
            role="region"
            aria-label={t('Snippet')}
          >
            {snippet}
          </pre>
          <CopyButton text={snippet} label={t('Copy snippet')} />
        </div>
      </div>
    </Card>
  );
}
