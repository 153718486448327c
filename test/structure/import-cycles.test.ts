import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclesOf, folderOf, importsOf, loadsOwnProtocol, productFiles, type Import } from './imports.ts';

/**
 * The nouns of the domain. A noun uses those of lower floors, and nouns of its own floor that do not use it.
 */
const FLOORS: readonly (readonly string[])[] = [
  [
    'access',
    'audit',
    'analytics',
    'workspaces',
    'admission',
    'credits',
    'numbers',
    'links',
    'users',
    'trunks',
    'requests',
    'call-windows',
  ],
  ['webhooks', 'tools', 'providers', 'agents', 'knowledge'],
  ['calls', 'chats', 'web-calls', 'web-chats'],
  ['campaigns', 'analysis', 'test-cases', 'rehearsals', 'quality', 'privacy', 'whatsapp'],
  ['provision', 'termination', 'test-events'],
];

const imports = productFiles
  .flatMap(importsOf)
  .filter((edge) => productFiles.includes(edge.to) && !loadsOwnProtocol(edge));
const within = (folder: string): Import[] =>
  imports.filter(({ from, to }) => from.startsWith(`${folder}/`) && to.startsWith(`${folder}/`));
/** The folder of a file below `domain` or `store`; the files of the folder itself are the ground floor. */
const nounOf = (file: string): string => (file.split('/').length > 2 ? (file.split('/')[1] ?? '') : '.');
const floorOf = (noun: string): number => FLOORS.findIndex((floor) => floor.includes(noun));

describe('the nouns of the domain', () => {
  it('all have a floor', () => {
    const nouns = new Set(productFiles.filter((file) => file.startsWith('domain/')).map(nounOf));
    nouns.delete('.');
    expect([...nouns].sort()).toEqual(FLOORS.flat().sort());
  });

  it('import no noun of a higher floor, not even its types', () => {
    const upwards = within('domain').filter(({ from, to }) => floorOf(nounOf(from)) < floorOf(nounOf(to)));
    expect(upwards.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('do not import each other in a circle, not even types', () => {
    expect(cyclesOf(within('domain'), nounOf)).toEqual([]);
  });
});

describe('import cycles', () => {
  it('do not lead through the folders of the store', () => {
    const between = within('store').filter(({ from, to }) => nounOf(from) !== '.' && nounOf(to) !== '.');
    expect(cyclesOf(between, nounOf)).toEqual([]);
  });

  it('do not lead through files of different folders, types included', () => {
    const across = cyclesOf(imports, (file) => file).filter(
      (files) => new Set(files.map((file) => dirname(file))).size > 1,
    );
    expect(across).toEqual([]);
  });

  it('do not lead through folders of src, types included', () => {
    expect(cyclesOf(imports, folderOf)).toEqual([]);
  });

  it('are found', () => {
    const edge = (from: string, to: string): Import => ({ from, to, typeOnly: true });
    const ring = [edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('c', 'd'), edge('e', 'a')];
    expect(cyclesOf(ring, (file) => file)).toEqual([['a', 'b', 'c']]);
    expect(cyclesOf(ring.slice(1), (file) => file)).toEqual([]);
  });
});
