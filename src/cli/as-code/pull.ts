import {
  slugOf,
  textOf,
  type Live,
  type LiveAgent,
  type Settings,
  type State,
} from '../../http/agents/document/document.ts';
import { toSettings } from '../../http/agents/document/names.ts';
import type { Files } from '../../http/agents/document/plan.ts';
import { secretNames } from '../../http/agents/document/secrets.ts';
import { digestOf, digestsOf, isSame, SETTING_KEYS } from '../../http/agents/document/settings.ts';

export interface Pulled {
  readonly files: ReadonlyMap<string, Settings>;
  readonly state: State;
  /** Settings that both the files and the service changed, as `folder: setting`. */
  readonly conflicts: readonly string[];
  /** Folders whose agents the service has no more. */
  readonly gone: readonly string[];
}

/**
 * Takes over what changed on the service since the last pull or apply, and keeps what changed in the files. A setting that both
 * changed is a conflict, unless `isOverwritten` gives it to the service. Pure.
 */
export function pull(files: Files, state: State, live: Live, isOverwritten = false): Pulled {
  const folders = nameFolders(files, state, live);
  const agents = Object.fromEntries([...folders].map(([folder, { id }]) => [folder, { id, settings: {} }]));
  const conflicts: string[] = [];
  const pulled = new Map<string, Settings>();
  const states: [string, State['agents'][string]][] = [];
  for (const [folder, agent] of folders) {
    const own = state.agents[folder] === undefined ? {} : (files.get(folder) ?? {});
    const now = toSettings(folder, agent, live, { agents }, secretNames(own));
    // A folder that was deleted is written anew.
    const base = files.has(folder) ? (state.agents[folder]?.settings ?? {}) : {};
    const merged = SETTING_KEYS.flatMap((key) => {
      const [value, service] = [own[key], now[key]];
      const isLeft = digestOf(key, service) === base[key];
      if (value === undefined) return service === undefined || isLeft ? [] : [[key, service] as const];
      if (isSame(key, service, value) || isLeft) return [[key, value] as const];
      if (digestOf(key, value) !== base[key] && !isOverwritten) conflicts.push(`${folder}: ${key}`);
      return service === undefined ? [] : [[key, service] as const];
    });
    pulled.set(folder, Object.fromEntries(merged));
    states.push([folder, { id: agent.id, settings: digestsOf(now) }]);
  }
  return {
    files: pulled,
    state: { format: 1, workspace_id: live.workspaceId, agents: Object.fromEntries(states) },
    conflicts,
    gone: Object.keys(state.agents).filter((folder) => !folders.has(folder)),
  };
}

/** The folder of each agent of the service: that of the state, else one of its name. */
function nameFolders(files: Files, state: State, live: Live): Map<string, LiveAgent> {
  const known = new Map(Object.entries(state.agents).map(([folder, { id }]) => [id, folder]));
  const taken = new Set([...files.keys(), ...known.values()]);
  const named = live.agents.map((agent): [string, LiveAgent] => {
    const kept = known.get(agent.id);
    if (kept !== undefined) return [kept, agent];
    const stem = slugOf(textOf(agent.record['agent_display_name'])) || `agent-${agent.id.slice(-8)}`;
    let name = stem;
    for (let at = 2; taken.has(name); at += 1) name = `${stem}-${at}`;
    taken.add(name);
    return [name, agent];
  });
  return new Map(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
