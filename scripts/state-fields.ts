import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

/**
 * Counts the fields of the turn machine's state, recursively from `TurnState`: what a transition can change on its own.
 *
 * - A union counts as its widest member, because only one exists at a time.
 * - A list counts as one field.
 * - A record counts as one field if the machine only replaces it as a whole, or if only the module that declares it patches
 *   it with a spread (`{ ...sound, isPaused }`). A record that others patch counts as its fields.
 * - Types from outside the folder (settings, history, the expected answer) count as one field.
 *
 *     npx node scripts/state-fields.ts [folder]
 */
// oxlint-disable-next-line typescript/no-explicit-any -- a node of the syntax tree
type Node = any;

interface Declared {
  readonly file: string;
  readonly type: Node;
}

/** All nodes below `node`, itself included. */
function* nodesOf(node: Node): Generator<Node, void> {
  if (Array.isArray(node)) for (const one of node) yield* nodesOf(one);
  else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string') yield node;
    for (const value of Object.values(node)) yield* nodesOf(value);
  }
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );

const isNone = ({ type }: Node): boolean => type === 'TSNullKeyword' || type === 'TSUndefinedKeyword';
const nameOf = (node: Node): string => node?.typeName?.name ?? '';

/** The record types that a type may be; without null. */
function recordsOf(type: Node, declared: ReadonlyMap<string, Declared>): Node[] {
  switch (type?.type) {
    case 'TSUnionType':
      return type.types.filter((one: Node) => !isNone(one)).flatMap((one: Node) => recordsOf(one, declared));
    case 'TSParenthesizedType':
      return recordsOf(type.typeAnnotation, declared);
    case 'TSTypeLiteral':
    case 'TSInterfaceBody':
      return [type];
    case 'TSTypeReference': {
      const known = declared.get(nameOf(type));
      return known === undefined ? [] : recordsOf(known.type, declared);
    }
    default:
      return [];
  }
}

/** Fields of a state type, and the names of the records that are counted by their fields. */
export function stateFields(folder: string): {
  readonly fields: number;
  readonly all: number;
  readonly of: Readonly<Record<string, number>>;
} {
  const trees = filesOf(folder).map((file) => ({
    file,
    tree: parseSync(file, readFileSync(join(folder, file), 'utf8')).program as Node,
  }));
  const declared = new Map<string, Declared>();
  // types.ts has what enters and leaves the machine.
  for (const { file, tree } of trees.filter((one) => one.file !== 'types.ts')) {
    for (const node of nodesOf(tree)) {
      if (node.type === 'TSInterfaceDeclaration') declared.set(node.id.name, { file, type: node.body });
      if (node.type === 'TSTypeAliasDeclaration')
        declared.set(node.id.name, { file, type: node.typeAnnotation });
    }
  }
  const patches = spreadsOf(trees);
  const isPatched = (field: string, type: Node): boolean => {
    const names = [...nodesOf(type)].map(nameOf).filter((name) => declared.has(name));
    const homes = new Set(names.map((name) => declared.get(name)?.file));
    return [field, ...names].some((name) => (patches.get(name) ?? []).some((file) => !homes.has(file)));
  };
  const of: Record<string, number> = {};
  const fieldsOf = (record: Node, name: string, isWhole: boolean): number => {
    const counts: number[] = record.members ?? record.body;
    const sum = counts.reduce((total: number, member: Node) => {
      const type = member.typeAnnotation?.typeAnnotation;
      const inner = recordsOf(type, declared);
      const widest = (): number => Math.max(...inner.map((one) => fieldsOf(one, member.key.name, isWhole)));
      const descends = inner.length > 0 && (isWhole || isPatched(member.key.name, type));
      return total + (descends ? widest() : 1);
    }, 0);
    if (!isWhole) of[name] = Math.max(of[name] ?? 0, sum);
    return sum;
  };
  const [root] = recordsOf(declared.get('TurnState')?.type, declared);
  return { fields: fieldsOf(root, 'state', false), all: fieldsOf(root, 'state', true), of };
}

/** The files that patch a record, by its field's name and by the type that a variable of it is declared with. */
function spreadsOf(trees: readonly { readonly file: string; readonly tree: Node }[]): Map<string, string[]> {
  const patches = new Map<string, string[]>();
  for (const { file, tree } of trees) {
    const types = new Map<string, string>();
    const nodes = [...nodesOf(tree)];
    for (const { type, name, typeAnnotation } of nodes) {
      const known = nameOf(typeAnnotation?.typeAnnotation);
      if (type === 'Identifier' && known !== '') types.set(name, known);
    }
    for (const node of nodes) {
      if (node.type !== 'ObjectExpression') continue;
      for (const { type, argument } of node.properties) {
        if (type !== 'SpreadElement') continue;
        const name = argument.property?.name ?? argument.name ?? '';
        for (const one of [name, types.get(name) ?? ''])
          patches.set(one, [...(patches.get(one) ?? []), file]);
      }
    }
  }
  return patches;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? fileURLToPath(new URL('../packages/turns/src/turn', import.meta.url));
  const { fields, all, of } = stateFields(folder);
  console.log(`${fields} fields of state; ${all} with those of records that are replaced as a whole`);
  for (const [name, count] of Object.entries(of)) console.log(`  ${name} ${count}`);
}
