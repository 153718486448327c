import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const root = resolve(import.meta.dirname, '../../src');

/** The product's files of `src`, by their path below it. */
export const productFiles: readonly string[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .sort();

const NAMES = /^\{([\s\S]*)\}$/;
/** Whether an import names types alone: `{ type A, type B }`. */
function namesTypes(names: string): boolean {
  const inside = NAMES.exec(names.trim())?.[1];
  const each = (inside ?? '').split(',').flatMap((name) => name.trim() || []);
  return each.length > 0 && each.every((name) => name.startsWith('type '));
}

/** The relative imports of a file. */
export function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found: Import[] = [];
  const target = (path: string): string => relative(root, resolve(root, dirname(file), path));
  for (const match of text.matchAll(
    /^(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?['"](\.[^'"]+)['"]/gm,
  )) {
    const [, type, names = '', path = ''] = match;
    found.push({ from: file, to: target(path), typeOnly: type !== undefined || namesTypes(names) });
  }
  for (const [, path = ''] of text.matchAll(/import\(\s*['"](\.[^'"]+)['"]\s*\)/g)) {
    found.push({ from: file, to: target(path), typeOnly: false });
  }
  return found;
}

/** The groups of two or more that import each other, directly or by way of others of the group; sorted. */
export function cyclesOf(imports: readonly Import[], groupOf: (file: string) => string): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [a, b] = [groupOf(from), groupOf(to)];
    if (!targets.has(a)) targets.set(a, new Set());
    if (a !== b) targets.get(a)?.add(b);
  }
  // Tarjan's strongly connected components.
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (group: string): number => {
    const own = index.size;
    index.set(group, own);
    stack.push(group);
    let lowest = own;
    for (const next of targets.get(group) ?? []) {
      if (!index.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, low.get(next) ?? index.get(next) ?? own);
    }
    low.set(group, lowest);
    if (lowest === own) {
      const members = stack.splice(stack.indexOf(group));
      if (members.length > 1) cycles.push(members.sort());
    }
    return lowest;
  };
  for (const group of targets.keys()) if (!index.has(group)) visit(group);
  return cycles.sort((a, b) => a.join().localeCompare(b.join()));
}

/** The description of a vendor loads its protocol when the chooser calls for it: no dependency of the description. */
export const loadsOwnProtocol = ({ from, to }: Import): boolean =>
  from.endsWith('/facts.ts') && to === from.replace(/facts\.ts$/, 'protocol.ts');

/** Parts of a folder with rules of their own. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/^telephony\/test-carrier\//, 'telephony/test-carrier'],
  [/^providers\/choose\//, 'providers/choose'],
  [/^rehearsal\/sound\//, 'rehearsal/sound'],
  [/^voice\/flow\//, 'voice/flow'],
  [/^vendors\/protocol\.ts$/, 'vendors'],
  [/^vendors\/(?:[\w-]+\/facts|[\w-]+)\.ts$/, 'vendors/facts'],
];
/** The room of a file of `src`: its top folder, or a part of one with rules of its own. */
export const folderOf = (path: string): string =>
  PARTS.find(([part]) => part.test(path))?.[1] ?? path.split('/')[0]!.replace(/\.ts$/, '');
