import { sameJson } from '../../../shared/same-json.ts';
import { differenceByWords, type Words } from './words.ts';

/** One setting that differs. `added` has no `before`, `removed` no `after`; `moved` shows the keys of a list in both orders. */
export interface Change {
  /** The way to the setting: `agent_config.intro_message`, `flow.nodes[greet].edges[reason]`. */
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed' | 'moved';
  readonly before: unknown;
  readonly after: unknown;
  /** Of two texts: the difference by words; else null. */
  readonly words: readonly Words[] | null;
}

/** What names an item of a list: nodes have an id, edges a target, tools and variables a name, sections of the prompt a title. */
const KEYS = ['id', 'name', 'section_title', 'to'] as const;

/**
 * The settings in which two JSON documents differ, in the order of the paths' first appearance; empty for equal ones.
 * Items of lists are compared by what names them, so that a node that moves in its list is not another node. Pure.
 */
export function differenceOf(before: object, after: object): Change[] {
  const changes: Change[] = [];
  compare('', before, after, changes);
  return changes;
}

/** The paths of `ours` that `theirs` changes as well, or a part of them, or the whole that they are part of. Pure. */
export function conflictsOf(theirs: readonly Change[], ours: readonly Change[]): string[] {
  return ours
    .map(({ path }) => path)
    .filter((path) => theirs.some((other) => isWithin(path, other.path) || isWithin(other.path, path)));
}

const isWithin = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(`${whole}.`) || path.startsWith(`${whole}[`);

function compare(path: string, before: unknown, after: unknown, changes: Change[]): void {
  if (sameJson(before, after)) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(path, before, after, changes);
  } else if (isObject(before) && isObject(after)) {
    const name = (key: string): string => (path === '' ? key : `${path}.${key}`);
    compareEntries(new Map(Object.entries(before)), new Map(Object.entries(after)), name, changes);
  } else {
    const isText = typeof before === 'string' && typeof after === 'string';
    const words = isText ? differenceByWords(before, after) : null;
    changes.push({ path, change: 'changed', before, after, words });
  }
}

function compareLists(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  changes: Change[],
): void {
  const key = KEYS.find((one) => isKeyOf(one, before) && isKeyOf(one, after));
  if (key === undefined) {
    changes.push({ path, change: 'changed', before, after, words: null });
    return;
  }
  const [old, young] = [byKey(key, before), byKey(key, after)];
  const [oldOrder, youngOrder] = [
    [...old.keys()].filter((one) => young.has(one)),
    [...young.keys()].filter((one) => old.has(one)),
  ];
  if (!sameJson(oldOrder, youngOrder)) {
    changes.push({ path, change: 'moved', before: [...old.keys()], after: [...young.keys()], words: null });
  }
  compareEntries(old, young, (one) => `${path}[${one}]`, changes);
}

function compareEntries(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  nameOf: (key: string) => string,
  changes: Change[],
): void {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const path = nameOf(key);
    if (!after.has(key)) {
      changes.push({ path, change: 'removed', before: before.get(key), after: null, words: null });
    } else if (before.has(key)) compare(path, before.get(key), after.get(key), changes);
    else changes.push({ path, change: 'added', before: null, after: after.get(key), words: null });
  }
}

/** Two edges may lead to one node; other keys name one item each. */
function isKeyOf(key: string, list: readonly unknown[]): boolean {
  const names = list.map((item) => (isObject(item) ? item[key] : undefined));
  return (
    names.every((name) => typeof name === 'string') && (key === 'to' || new Set(names).size === names.length)
  );
}

/** A further item of the same key gets its number: `desk`, `desk 2`. */
function byKey(key: string, list: readonly unknown[]): Map<string, unknown> {
  const items = new Map<string, unknown>();
  for (const item of list) {
    const name = isObject(item) ? String(item[key]) : '';
    let unused = name;
    for (let at = 2; items.has(unused); at += 1) unused = `${name} ${at}`;
    items.set(unused, item);
  }
  return items;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
