/**
 * Counts how the source tree is built, for a comparison of two commits: `node scripts/figures.ts [checkout]`. Needs no
 * installation in the other checkout.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const root = process.argv[2] ?? join(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
const isTest = (file: string): boolean => /\.test\.tsx?$|\/test\//.test(file);
const isProduct = (file: string): boolean =>
  /^(src|packages|web\/src)\/.*\.tsx?$/.test(file) && !isTest(file);
/** Written by a script of the repository. */
const isGenerated = (file: string): boolean =>
  /operations\.ts$|store\/tables\.ts$|vendor-list\.ts$/.test(file);
const product = tracked.filter((file) => isProduct(file) && !isGenerated(file));
const text = new Map(product.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const linesOf = (file: string): readonly string[] => (text.get(file) ?? '').split('\n');

/** Words that house style reads as a sign of a riddle. */
const SIGNAL =
  /\b(told|asked|nobody|whom|somebody|goes on|has it|it has|what is|is there, too|of its own|by then)\b/i;
const COMMENT = /^\s*(\/\/|\/?\*)/;

interface Comments {
  lines: number;
  signals: number;
}
/** The room of a product file: a folder of src, a package, or the dashboard. */
const roomOf = (file: string): string => {
  const [top = '', second = '', third = ''] = file.split('/');
  if (top === 'web') return 'web';
  if (top === 'packages') return `packages/${second}`;
  return second === 'providers' ? `providers/${third.replace(/\.ts$/, '')}` : second.replace(/\.ts$/, '');
};
const rooms = new Map<string, Comments>();
for (const file of product) {
  const room = rooms.get(roomOf(file)) ?? { lines: 0, signals: 0 };
  for (const line of linesOf(file).filter((one) => COMMENT.test(one))) {
    room.lines += 1;
    if (SIGNAL.test(line)) room.signals += 1;
  }
  rooms.set(roomOf(file), room);
}

/** Files that import each other, types included. */
function cycles(): string[][] {
  const known = new Set(product);
  const imports = new Map(
    product.map((file) => [
      file,
      [...(text.get(file) ?? '').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
        .map(([, path = '']) => posix.join(dirname(file), path))
        .filter((target) => known.has(target)),
    ]),
  );
  const index = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    stack.push(file);
    let lowest = own;
    for (const target of imports.get(file) ?? []) {
      if (!index.has(target)) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, index.get(target) ?? own);
    }
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1) found.push(group);
    }
    return lowest;
  };
  for (const file of product) if (!index.has(file)) visit(file);
  return found;
}

const count = (pattern: RegExp, files: readonly string[] = product): number =>
  files.reduce((sum, file) => sum + ((text.get(file) ?? '').match(pattern)?.length ?? 0), 0);
const all = cycles();
const across = all.filter((files) => new Set(files.map((file) => dirname(file))).size > 1);
const naming = (vendor: string): number =>
  product.filter((file) => file.startsWith('src/') && (text.get(file) ?? '').toLowerCase().includes(vendor))
    .length;

console.log(
  `product files, lines: ${product.length}, ${product.reduce((sum, file) => sum + linesOf(file).length, 0)}`,
);
console.log(`files over 400 lines: ${product.filter((file) => linesOf(file).length > 400).length}`);
console.log(`as unknown as: ${count(/as unknown as/g)}`);
console.log(`cycles of imports, types included: ${all.length} with ${all.flat().length} files`);
console.log(`of them across folders: ${across.length} with ${across.flat().length} files`);
console.log(`files of src that name elevenlabs, sarvam: ${naming('elevenlabs')}, ${naming('sarvam')}`);
console.log(
  `postMessage: ${count(
    /\.postMessage\(/g,
    product.filter((file) => file.startsWith('src/')),
  )} places`,
);
console.log(`migrations: ${tracked.filter((file) => /store\/migrations\/.*\.sql$/.test(file)).length}`);
const total = [...rooms.values()].reduce((sum, { signals }) => sum + signals, 0);
const comments = [...rooms.values()].reduce((sum, { lines }) => sum + lines, 0);
console.log(
  `riddle signals: ${total} in ${comments} comment lines (${((1000 * total) / comments).toFixed(1)} in 1,000)`,
);
for (const [room, { lines, signals }] of [...rooms].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  if (lines > 20)
    console.log(`  ${room}: ${signals} in ${lines} (${((1000 * signals) / lines).toFixed(0)} in 1,000)`);
}
