/** The files of the widget that the service serves. */
export interface Widget {
  readonly version: string;
  readonly script: string;
  readonly integrity: string;
}

/** How the widget looks and behaves on a page. */
export interface WidgetLook {
  readonly position: 'bottom-right' | 'bottom-left' | 'in-page';
  readonly mode: 'voice' | 'text';
  /** Empty: the widget's own words. */
  readonly label: string;
  readonly heading: string;
  readonly accent: string;
  /** Corners, in pixels. */
  readonly radius: string;
}
export const USUAL_LOOK: WidgetLook = {
  position: 'bottom-right',
  mode: 'voice',
  label: '',
  heading: '',
  accent: '#1f5fbf',
  radius: '12',
};

/** The attributes of the element, in the order in which a page has them. */
export function widgetAttributes(
  look: WidgetLook,
  agent: { readonly id: string; readonly webcall_public_key: string },
): readonly (readonly [name: string, value: string])[] {
  return [
    ['agent', agent.id],
    ['public-key', agent.webcall_public_key],
    ...(look.position === 'in-page' ? [] : [['position', look.position] as const]),
    ...(look.mode === 'text' ? [['mode', 'text'] as const] : []),
    ...(look.label === '' ? [] : [['label', look.label] as const]),
    ...(look.heading === '' ? [] : [['heading', look.heading] as const]),
  ];
}

/** The variables of the look that differ from the widget's own. */
export const widgetVariables = (look: WidgetLook): readonly (readonly [name: string, value: string])[] => [
  ...(look.accent === USUAL_LOOK.accent ? [] : [['--callwright-accent', look.accent] as const]),
  ...(look.radius === USUAL_LOOK.radius || look.radius === ''
    ? []
    : [['--callwright-radius', `${Number(look.radius)}px`] as const]),
];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** What a web site puts into its pages. `origin`: the address of the service. */
export function widgetSnippet(
  origin: string,
  widget: Widget,
  look: WidgetLook,
  agent: Parameters<typeof widgetAttributes>[1],
): string {
  const attributes = widgetAttributes(look, agent).map(([name, value]) => `${name}="${escaped(value)}"`);
  const variables = widgetVariables(look).map(([name, value]) => `${name}: ${value}`);
  return [
    `<script src="${origin}${widget.script}" integrity="${widget.integrity}" crossorigin="anonymous"></script>`,
    ...(variables.length === 0 ? [] : [`<style>callwright-call { ${variables.join('; ')} }</style>`]),
    `<callwright-call ${attributes.join(' ')}></callwright-call>`,
  ].join('\n');
}
