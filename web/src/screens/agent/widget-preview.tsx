import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Agent } from './types.ts';
import { type WidgetLook, widgetAttributes, widgetVariables, type Widget } from '@callwright/widget';
import { t } from '../../words/words.ts';

const TAG = 'callwright-call';

/** The script defines the element once for the whole dashboard. */
const load = async (widget: Widget): Promise<void> => {
  if (customElements.get(TAG) !== undefined) return;
  const script = document.createElement('script');
  script.src = widget.script;
  script.integrity = widget.integrity;
  script.crossOrigin = 'anonymous';
  document.head.append(script);
  await customElements.whenDefined(TAG);
};

/** The widget itself, as a page of the web site shows it. */
export function WidgetPreview({
  agent,
  widget,
  look,
}: {
  agent: Agent;
  widget: Widget;
  look: WidgetLook;
}): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => void load(widget).then(() => setIsLoaded(true)), [widget]);
  useEffect(() => {
    if (!isLoaded) return undefined;
    const element = document.createElement(TAG);
    // In the preview it stands in the frame, wherever the page will show it.
    for (const [name, value] of widgetAttributes({ ...look, position: 'in-page' }, agent)) {
      element.setAttribute(name, value);
    }
    for (const [name, value] of widgetVariables(look)) element.style.setProperty(name, value);
    frame.current?.replaceChildren(element);
    return () => element.remove();
  }, [isLoaded, look, agent]);
  return (
    <section
      aria-label={t('Preview of the widget')}
      className="rounded-md border border-dashed border-line p-4"
    >
      <div ref={frame} className="flex min-h-12 justify-center" />
      <p className="mt-3 text-sm text-muted">
        {t('The preview begins real calls, with the active version.')}
      </p>
    </section>
  );
}
