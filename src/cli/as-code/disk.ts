import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, Refused, type Settings, type State } from '../../http/agents/document/document.ts';
import { fromFiles, isAgentFile, toFiles } from './folder.ts';

const STATE = '.callwright/state.json';
const AGENTS = 'agents';

/** The state file of a folder; null: nothing was pulled or applied yet. Throws Refused for a broken one. */
export function readState(folder: string): State | null {
  const file = join(folder, STATE);
  if (!existsSync(file)) return null;
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as State;
    if (isObject(state) && state.format === 1 && isObject(state.agents)) return state;
  } catch {
    // Refused below.
  }
  throw new Refused([
    `${file} is not a state file; take it from git, or delete it and pull into an empty folder`,
  ]);
}

/** Replaces the state file as a whole, so that an interrupted command leaves the old one or the new one. */
export function writeState(folder: string, state: State): void {
  const file = join(folder, STATE);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** The settings of every agent's folder. Throws Refused with every problem. */
export function readFiles(folder: string): Map<string, Settings> {
  const problems: string[] = [];
  const found = globSync(`${AGENTS}/*/agent.yaml`, { cwd: folder }).map(
    (path) => path.split(/[/\\]/u)[1] ?? '',
  );
  const agents = found.toSorted().flatMap((name) => {
    try {
      return [[name, fromFiles(`${AGENTS}/${name}`, textsOf(folder, name))] as const];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
  if (problems.length > 0) throw new Refused(problems);
  return new Map(agents);
}

function textsOf(folder: string, name: string): Map<string, string> {
  const own = join(folder, AGENTS, name);
  const paths = globSync(['*.yaml', 'prompt/*.md'], { cwd: own }).map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.filter(isAgentFile).map((path) => [path, readFileSync(join(own, path), 'utf8')]));
}

/** Writes the files of an agent whose settings changed, and deletes those that it no longer has. Answers the paths that changed. */
export function writeAgent(folder: string, name: string, settings: Settings): string[] {
  const before = textsOf(folder, name);
  const after = toFiles(settings, before);
  const changed: string[] = [];
  const own = join(folder, AGENTS, name);
  for (const [path, text] of after) {
    if (before.get(path) === text) continue;
    mkdirSync(dirname(join(own, path)), { recursive: true });
    writeFileSync(join(own, path), text);
    changed.push(`${AGENTS}/${name}/${path}`);
  }
  for (const path of before.keys()) {
    if (after.has(path)) continue;
    rmSync(join(own, path));
    changed.push(`${AGENTS}/${name}/${path}`);
  }
  return changed;
}
