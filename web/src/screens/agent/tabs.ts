export const TABS = {
  instructions: 'Instructions',
  flow: 'Flow',
  voice: 'Voice',
  behaviour: 'Behaviour',
  tools: 'Tools',
  connections: 'Knowledge and events',
  analysis: 'Analysis',
  scorecard: 'Scorecard',
  tests: 'Test cases',
  models: 'Models',
  browser: 'Browser calls',
  versions: 'Versions and A/B test',
  history: 'History',
} as const;
export type Tab = keyof typeof TABS;
/** Tabs that say nothing of an assistant that writes. */
const SPOKEN: ReadonlySet<Tab> = new Set(['voice', 'browser']);

/** The tabs of an assistant of this type. */
export const tabsOf = (type: string): readonly Tab[] =>
  (Object.keys(TABS) as Tab[]).filter((tab) => type !== 'whatsapp' || !SPOKEN.has(tab));

const isTab = (value: unknown): value is Tab => typeof value === 'string' && Object.hasOwn(TABS, value);

/** The address of the editor: the version, the tab, whether the test is open, and a second version to compare with. */
export interface AgentSearch {
  readonly version?: string;
  readonly tab?: Tab;
  readonly test?: true;
  readonly with?: string;
  /** A call that the tab Flow shows over the flow. */
  readonly call?: string;
}

export function agentSearch(search: Record<string, unknown>): AgentSearch {
  const { version, tab, test, with: other, call } = search;
  return {
    ...(typeof version === 'string' ? { version } : {}),
    ...(isTab(tab) && tab !== 'instructions' ? { tab } : {}),
    ...(test === true ? { test } : {}),
    ...(typeof other === 'string' ? { with: other } : {}),
    ...(typeof call === 'string' ? { call } : {}),
  };
}
