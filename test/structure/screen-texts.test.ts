import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../web/src');
/** Folders whose every text is in the words files. The page /design is for developers, in English. */
const DONE = [
  'drafts',
  'parts',
  'shell',
  'ui',
  ...[
    'account',
    'agent',
    'agent-flow',
    'agent-new',
    'agent-test',
    'analytics',
    'api-key',
    'audit-log',
    'chat',
    'chats',
    'child-workspaces',
    'privacy',
    'providers',
    'system',
    'test-cases',
    'trunks',
    'whatsapp',
    'workspace',
    'credits',
    'delivery',
    'knowledge',
    'knowledge-base',
    'rehearsals',
    'request',
    'requests',
    'webhooks',
    'agents',
    'call',
    'calls',
    'campaign',
    'campaign-new',
    'campaigns',
    'do-not-call',
    'first-run',
    'home',
    'invitation',
    'live',
    'members',
    'new-password',
    'number-pools',
    'numbers',
    'sign-in',
    'welcome',
  ].map((screen) => `screens/${screen}`),
];
const ATTRIBUTE =
  /\b(?:label|title|hint|intro|action|caption|placeholder|aria-label|all|of)="([^"]*[a-z]{2}[^"]*)"/g;
const TEXT = />\s*([A-Z][a-z][^<>{}=;]*[a-z.])\s*</g;
/** Names, the same in every language, and a type. */
const NAMES = new Set(['Callwright', 'Esc', 'Enter', 'curl', 'Promise', 'Escape', 'Delete', 'Alt']);

/** Addresses and ids, and types beside a function. */
const OF_PROGRAMS = /^(?:sip:|(?:https:\/)?\/)|_|\): /;

/** The texts in the markup of a folder that no language can replace. */
const literalsOf = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => {
      const source = readFileSync(join(root, folder, file), 'utf8');
      return [ATTRIBUTE, TEXT].flatMap((form) =>
        [...source.matchAll(form)]
          .map(([, text = '']) => text.replaceAll(/\s+/g, ' '))
          .filter((text) => !NAMES.has(text) && !OF_PROGRAMS.test(text))
          .map((text) => `${folder}/${file}: ${text}`),
      );
    });

describe('a screen', () => {
  it.each(DONE)('writes no text into its markup: %s', (folder) => {
    expect(literalsOf(folder)).toEqual([]);
  });

  it('with a text in its markup is found', () => {
    expect(literalsOf('screens/design').length).toBeGreaterThan(20);
  });
});
