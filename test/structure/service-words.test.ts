import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../src/domain/calls/outcomes.ts';
import { FAILURE_CODES } from '../../src/shared/failure-reason.ts';
import { FAULT_WORDS } from '../../src/shared/vendor-fault.ts';

const root = resolve(import.meta.dirname, '../../src');
const web = resolve(import.meta.dirname, '../../web/src');
/** A table of the dashboard, whose modules this project does not compile. */
const tableOf = async (file: string, name: string): Promise<Readonly<Record<string, string>>> =>
  ((await import(join(web, file))) as Record<string, Readonly<Record<string, string>>>)[name] ?? {};
const [TITLES, RESULTS, FAILURES, FAULTS, SENTENCES] = await Promise.all([
  tableOf('parts/check-names.ts', 'TITLES'),
  tableOf('parts/result-name.ts', 'RESULTS'),
  tableOf('screens/call/failure-text.ts', 'FAILURES'),
  tableOf('parts/vendor-fault.ts', 'FAULTS'),
  tableOf('ui/service-words.ts', 'SENTENCES'),
]);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => read(join(folder, file)));
const [{ FIELD_RULES }, { formOf }] = (await Promise.all([
  import(join(web, 'ui/field-rules.ts')),
  import(join(web, 'words/sentence-forms.ts')),
])) as [{ FIELD_RULES: readonly (readonly [string, string])[] }, { formOf(sentence: string): string }];
const RESULT_SOURCE = read('domain/calls/result.ts');

describe('what the service says and the dashboard translates', () => {
  it('are the sentences of its errors', () => {
    const errors = [read('errors.ts'), ...filesOf('errors')].join('\n');
    expect(Object.keys(SENTENCES).filter((sentence) => !errors.includes(`'${sentence}'`))).toEqual([]);
  });

  it('are the rules of its fields, with any value', () => {
    const source = filesOf('.').join('\n');
    const articles = [
      ...(/const ARTICLES[^}]*\}/.exec(read('shared/schema-problems.ts'))?.[0] ?? '').matchAll(
        /: '(an? \w+)'/g,
      ),
    ];
    const said = [
      ...[...source.matchAll(/'((?:must|is|has|names) [^'\n]+)'|`((?:must|is|has|names) [^`\n]+)`/g)].flatMap(
        ([, plain, template = '']) =>
          plain === undefined
            ? ['7 $1', '7 $1s'].map((counted) =>
                template
                  .replaceAll(/\$\{plural\([^{}]*, '(\w+)'\)\}/g, counted)
                  .replaceAll(/\$\{[^{}]+\}/g, '7'),
              )
            : [plain],
      ),
      ...articles.map(([, article]) => `must be ${article}`),
    ];
    expect(said.length).toBeGreaterThan(200);
    const strangers = FIELD_RULES.filter(([rule]) => {
      const form = new RegExp(`^${formOf(rule)}$`);
      return !said.some((text) => form.test(text));
    });
    expect(strangers).toEqual([]);
  });

  it('are all results of calls that are not of the workspace', () => {
    const endings = [...RESULT_SOURCE.matchAll(/^\s+(?:[A-Z_]+|fax|sit): '([^']+)',$/gm)].map(
      ([, text]) => text ?? '',
    );
    const returned = [...RESULT_SOURCE.matchAll(/'((?:Refused|Hung up)[^']*)'/g)].map(
      ([, text]) => text ?? '',
    );
    const labels = OUTCOMES.map((label) =>
      label.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase()),
    );
    const known = Object.values(RESULTS);
    expect(endings.length).toBeGreaterThan(20);
    expect([...new Set([...endings, ...returned, ...labels])].toSorted()).toEqual(known.toSorted());
  });

  it('are the words for faults of vendors', () => {
    expect(FAULTS).toEqual(FAULT_WORDS);
  });

  it('are the reasons why calls fail', () => {
    expect(Object.keys(FAILURES).toSorted()).toEqual(FAILURE_CODES.toSorted());
  });

  it('are the names of its checks', () => {
    const checks = [...filesOf('app'), ...filesOf('http/system')]
      .join('\n')
      .matchAll(/name: '([a-z ]+)',\s*ok\b/g);
    const names = [...new Set([...checks].map(([, name]) => name ?? ''))];
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => TITLES[name] === undefined)).toEqual([]);
  });
});
