import { describe, expect, it } from 'vitest';
import { importsOf, productFiles as product, type Import } from './imports.ts';

/** May import: folder → folders whose code it may use. `types` lists folders of which only types are allowed. */
const RULES: Record<string, { code: readonly string[]; types?: readonly string[] }> = {
  shared: { code: [] },
  errors: { code: [] },
  config: { code: ['shared', 'vendors'] },
  net: { code: ['shared'] },
  voice: { code: ['shared'] },
  // Its JSON columns hold what a conversation reports and which vendors an agent chose.
  store: { code: ['shared', 'errors'], types: ['voice', 'vendors'] },
  domain: { code: ['store', 'shared', 'errors', 'vendors'], types: ['voice'] },
  telephony: { code: ['shared'], types: ['voice'] },
  // A separate program inside the product: a SIP peer with speech recognition and synthesis.
  'telephony/test-carrier': { code: ['telephony', 'offline', 'providers', 'voice', 'shared'] },
  providers: { code: ['net', 'shared', 'voice', 'vendors', 'offline'] },
  vendors: { code: ['providers', 'shared', 'voice'] },
  // Everything that works without a key or a network.
  offline: { code: ['providers', 'shared', 'voice', 'vendors'] },
  session: { code: ['voice', 'shared'], types: ['telephony', 'providers', 'workers'] },
  workers: {
    code: ['session', 'telephony', 'providers', 'net', 'shared', 'vendors', 'offline'],
    types: ['voice'],
  },
  scheduler: { code: ['domain', 'store', 'shared'] },
  dialer: {
    code: ['domain', 'store', 'shared', 'vendors'],
    types: ['scheduler', 'telephony', 'workers', 'voice'],
  },
  // Turns of chats: reads the agent and takes the turn with the brain and rules of a call.
  chat: { code: ['domain', 'store', 'voice', 'net', 'errors', 'shared'] },
  jobs: { code: ['domain', 'net', 'store', 'shared'] },
  recordings: { code: ['domain', 'store', 'errors', 'shared'] },
  http: { code: ['domain', 'errors', 'shared', 'vendors'] },
};
/** Files that wire or run the program may import everything. */
const FREE = new Set(['app', 'main', 'cli']);
/** Single folders of a room that others may use. */
const OPEN_TO = new Map([
  // The shapes of JSON columns: types alone.
  ['store/json', new Set(['http'])],
  ['providers/ports', new Set(['session', 'workers', 'chat', 'domain'])],
]);

const folderOf = (path: string): string =>
  path.startsWith('telephony/test-carrier/')
    ? 'telephony/test-carrier'
    : path.split('/')[0]!.replace(/\.ts$/, '');

function isAllowed(edge: Import): boolean {
  const from = folderOf(edge.from);
  const to = folderOf(edge.to);
  if (from === to || FREE.has(from)) return true;
  if (edge.to.startsWith('..')) return edge.to === '../package.json';
  for (const [prefix, folders] of OPEN_TO) {
    if (edge.to.startsWith(prefix) && folders.has(from)) return true;
  }
  const rule = RULES[from];
  if (rule === undefined) return false;
  return rule.code.includes(to) || (edge.typeOnly && (rule.types ?? []).includes(to));
}

describe('import directions', () => {
  const edges = product.flatMap(importsOf);

  it('scans the whole source tree', () => {
    expect(product.length).toBeGreaterThan(40);
    expect(edges.length).toBeGreaterThan(80);
  });

  it('names every folder of src', () => {
    const unknown = new Set(product.map(folderOf).filter((f) => !FREE.has(f) && RULES[f] === undefined));
    expect([...unknown]).toEqual([]);
  });

  it('lets a folder import only folders that the table allows', () => {
    const broken = edges.filter((e) => !isAllowed(e)).map((e) => `${e.from} → ${e.to}`);
    expect(broken).toEqual([]);
  });

  it('detects a forbidden import', () => {
    expect(isAllowed({ from: 'voice/conversation.ts', to: 'store/database.ts', typeOnly: false })).toBe(
      false,
    );
    expect(isAllowed({ from: 'http/server.ts', to: 'telephony/signalling.ts', typeOnly: true })).toBe(false);
  });
});
