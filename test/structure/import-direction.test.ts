import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importsOf, folderOf, loadsOwnProtocol, productFiles as product, type Import } from './imports.ts';

/** May import: folder → folders whose code it may use. `types` lists folders of which only types are allowed. */
const RULES: Record<string, { code: readonly string[]; types?: readonly string[] }> = {
  shared: { code: [] },
  errors: { code: [] },
  config: { code: ['shared', 'vendors/facts'] },
  net: { code: ['shared'] },
  voice: { code: ['shared'] },
  // The flow of an agent: its document, its check and what runs it. Pure.
  'voice/flow': { code: ['voice', 'shared'] },
  // Its JSON columns hold what a conversation reports and which vendors an agent chose.
  store: { code: ['shared', 'errors'], types: ['voice', 'vendors/facts'] },
  // The names and shapes of event bodies and reports: it renders what the domain decided.
  wire: { code: ['shared', 'vendors/facts'], types: ['store', 'voice'] },
  domain: { code: ['wire', 'store', 'shared', 'errors', 'vendors/facts', 'voice/flow'], types: ['voice'] },
  telephony: { code: ['shared'], types: ['voice'] },
  // A separate program inside the product: a SIP peer with speech recognition and synthesis.
  'telephony/test-carrier': { code: ['telephony', 'offline', 'providers', 'voice', 'shared'] },
  // What every layer may know of vendors: names, settings, prices, languages.
  'vendors/facts': { code: ['shared'], types: ['vendors'] },
  // The protocol of a company: knows no call, and is opened by the chooser alone.
  vendors: { code: ['vendors/facts', 'providers', 'offline', 'shared', 'voice'] },
  // Sessions and chains: they know no company.
  providers: { code: ['vendors/facts', 'net', 'shared', 'voice', 'voice/flow'] },
  'providers/choose': {
    code: ['providers', 'vendors', 'vendors/facts', 'offline', 'net', 'shared', 'voice'],
  },
  // Everything that works without a key or a network.
  offline: { code: ['providers', 'vendors/facts', 'shared', 'voice'] },
  session: { code: ['voice', 'shared'], types: ['telephony', 'providers', 'vendors/facts'] },
  workers: {
    code: ['session', 'telephony', 'providers', 'providers/choose', 'shared'],
    types: ['voice', 'vendors/facts', 'offline'],
  },
  // Plays conversations with the parts of a session in virtual time, and judges them as test cases are.
  rehearsal: { code: ['session', 'domain', 'voice', 'voice/flow', 'shared'], types: ['store'] },
  // Plays them by sound: callers with phones on loopback, and the session of a call.
  'rehearsal/sound': {
    code: ['rehearsal', 'session', 'telephony', 'providers', 'providers/choose', 'shared'],
    types: ['voice'],
  },
  scheduler: { code: ['domain', 'store', 'shared'] },
  dialer: {
    code: ['domain', 'wire', 'store', 'shared', 'vendors/facts'],
    types: ['scheduler', 'telephony', 'workers', 'voice', 'session'],
  },
  // Turns of chats: reads the agent and takes the turn with the brain and rules of a call.
  chat: { code: ['domain', 'wire', 'store', 'voice', 'net', 'errors', 'shared'] },
  jobs: { code: ['domain', 'net', 'store', 'shared'] },
  recordings: { code: ['domain', 'store', 'errors', 'shared'] },
  http: { code: ['domain', 'wire', 'errors', 'shared', 'vendors/facts', 'voice/flow'] },
};
/** Files that wire or run the program may import everything. */
const FREE = new Set(['app', 'main', 'cli']);
/** Single folders of a room that others may use. */
const OPEN_TO = new Map([
  // The shapes of JSON columns: types alone.
  ['store/json', new Set(['http'])],
  // The documents of rehearsals that the API takes.
  ['rehearsal/scenario/document', new Set(['http'])],
  ['rehearsal/play/timing', new Set(['http'])],
  ['rehearsal/sound/recognisers', new Set(['http'])],
  ['rehearsal/detect/alarm', new Set(['http'])],
  ['providers/ports', new Set(['session', 'workers', 'chat', 'domain', 'rehearsal'])],
]);

function isAllowed(edge: Import): boolean {
  const from = folderOf(edge.from);
  const to = folderOf(edge.to);
  if (from === to || FREE.has(from)) return true;
  if (loadsOwnProtocol(edge)) return true;
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

  it('opens the agent of a chat without dialer, session or call workers', () => {
    const used = new Set(
      edges.filter(({ from }) => from === 'app/chat-agents.ts').map(({ to }) => folderOf(to)),
    );
    expect(['dialer', 'session', 'workers'].filter((folder) => used.has(folder))).toEqual([]);
  });

  it('consults the health of vendors only in the chain and where its accounts are opened', () => {
    const consults = /\.(?:mayAsk|asksAgain)\(/;
    const sourceOf = (file: string) => readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
    const found = product.filter((file) => consults.test(sourceOf(file)));
    expect(found.toSorted()).toEqual([
      'providers/chain.ts',
      'providers/choose/open.ts',
      'providers/s2s/providers.ts',
    ]);
  });

  it('gives each route file only the dependencies that it names', () => {
    const sourceOf = (file: string) => readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
    const whole = product.filter(
      (file) => /^http\/(?!server\/)/.test(file) && /deps: ServerDeps\b/.test(sourceOf(file)),
    );
    expect(whole).toEqual([]);
  });

  it('detects a forbidden import', () => {
    expect(isAllowed({ from: 'voice/conversation.ts', to: 'store/database.ts', typeOnly: false })).toBe(
      false,
    );
    expect(isAllowed({ from: 'http/server.ts', to: 'telephony/signalling.ts', typeOnly: true })).toBe(false);
    expect(isAllowed({ from: 'config/x.ts', to: 'vendors/deepgram/stt.ts', typeOnly: false })).toBe(false);
    expect(isAllowed({ from: 'providers/stt/x.ts', to: 'vendors/deepgram/stt.ts', typeOnly: true })).toBe(
      false,
    );
  });
});
