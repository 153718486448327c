import { errors } from '../../errors.ts';
import { sha256 } from '../../shared/ids.ts';
import { listVersions, type AgentRow, type VersionRow } from '../../store/agents/agents.ts';
import type { Db } from '../../store/database.ts';

/** Settings that editors change apart from each other, by the keys of a version's config. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  prompt: ['agentPrompt', 'promptSections', 'customVariables'],
  'first message': ['introMessage'],
  'voice and language': ['language', 'secondaryLanguage', 'voiceId', 'secondaryVoiceId', 'voiceSpeed'],
  'call settings': ['callConfig', 'callTimeChosen'],
  tools: ['preCallTools', 'onCallTools', 'postCallTools'],
  'knowledge bases': ['knowledgeBaseIds'],
  'event subscriptions': ['eventSubscriptions'],
  analysis: ['clientAnalysis', 'evaluations'],
};
const SECTION_OF = new Map(
  Object.entries(SECTIONS).flatMap(([section, keys]) => keys.map((key) => [key, section] as const)),
);
const NAMES = ['name, type or active version', 'versions', ...Object.keys(SECTIONS), 'other settings'];
/** Characters of a section's digest. */
const DIGEST = 8;

/** The ETag of an agent: a digest of each section, so that a later one tells which sections changed. */
export function agentTag(agent: AgentRow, versions: readonly VersionRow[]): string {
  const parts = new Map<string, unknown[]>(NAMES.map((name) => [name, []]));
  parts
    .get('name, type or active version')
    ?.push(agent.displayName, agent.agentType, agent.activeVersionId, agent.abStartedAt);
  parts.get('analysis')?.push(agent.classificationLabels);
  for (const { id, slug, description, callTraffic: traffic, config } of versions) {
    parts.get('versions')?.push(id, slug, description, traffic);
    const { agentConfig: own, ...rest } = config;
    for (const [key, value] of Object.entries({ ...rest, ...own }).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      parts.get(SECTION_OF.get(key) ?? 'other settings')?.push(id, key, value);
    }
  }
  const digests = [...parts.values()].map((values) => sha256(JSON.stringify(values)).slice(0, DIGEST));
  return `"${digests.join('.')}"`;
}

/** Throws 412, naming the sections that changed, unless `ifMatch` is the tag of the locked agent, `*` or null. */
export async function checkUnchanged(
  tx: Db,
  workspaceId: string,
  agent: AgentRow,
  ifMatch: string | null,
): Promise<void> {
  if (ifMatch === null || ifMatch.trim() === '*') return;
  const current = agentTag(agent, await listVersions(tx, workspaceId, agent.id));
  const sent = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (sent.includes(current)) return;
  throw errors.agentChanged(changedSections(sent[0] ?? '', current));
}

/** Empty for a tag that is none of an agent. */
function changedSections(sent: string, current: string): string[] {
  const [before, after] = [sent, current].map((tag) => tag.replaceAll('"', '').split('.'));
  if (before?.length !== NAMES.length) return [];
  return NAMES.filter((_, at) => before[at] !== after?.[at]);
}
