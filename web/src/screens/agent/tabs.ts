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

/** The five groups of the tabs, by what a person wants to change or see. */
const GROUPS = [
  { name: 'Prompt', tabs: ['instructions', 'flow', 'models'] },
  { name: 'Voice', tabs: ['voice'] },
  { name: 'Behaviour', tabs: ['behaviour'] },
  { name: 'Tools and knowledge', tabs: ['tools', 'connections', 'browser'] },
  { name: 'Quality', tabs: ['analysis', 'scorecard', 'tests', 'versions', 'history'] },
] as const satisfies readonly { readonly name: string; readonly tabs: readonly Tab[] }[];
export type GroupName = (typeof GROUPS)[number]['name'];
export interface Group {
  readonly name: GroupName;
  readonly tabs: readonly Tab[];
}

/** The groups of an assistant of this type, with the tabs that it has. */
export function groupsOf(type: string): readonly Group[] {
  const shown = tabsOf(type);
  return GROUPS.map(({ name, tabs }) => ({
    name,
    tabs: tabs.filter((tab) => shown.includes(tab)),
  })).filter(({ tabs }) => tabs.length > 0);
}

/** The tab of a group that was open last. */
export type LastTabs = Partial<Record<GroupName, Tab>>;

/** The tab that a press on a group opens: the flow where one leads the conversation, else the one that was open last. */
export const tabToOpen = ({ name, tabs }: Group, last: LastTabs, hasFlow: boolean): Tab | undefined =>
  hasFlow ? (tabs.find((tab) => tab === 'flow') ?? last[name] ?? tabs[0]) : (last[name] ?? tabs[0]);

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
