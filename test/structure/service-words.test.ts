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
type Forms = readonly (readonly [service: string, page: string])[];
const [{ FIELD_RULES }, { DETAILS, TRUNK_FAULTS }, { formOf }] = (await Promise.all([
  import(join(web, 'ui/field-rules.ts')),
  import(join(web, 'parts/check-details.ts')),
  import(join(web, 'words/sentence-forms.ts')),
])) as [
  { FIELD_RULES: Forms },
  { DETAILS: Forms; TRUNK_FAULTS: Forms },
  { formOf: (sentence: string) => string },
];
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

  it('are the details of its checks, with any value', () => {
    /** What stands in place of a part of a template, where the service has few values for it. */
    const values: Readonly<Record<string, readonly string[]>> = {
      '${name} is $': ["this host's clock is $", "the database's clock is $"],
      "${ms > 0 ? 'ahead' : 'behind'}": ['ahead', 'behind'],
      '${code}': ['', ' (status 7)'],
      '${times}': ['once', '7 times'],
      '${PARTS[part]} ${vendor}': ['recogniser 7'],
    };
    const lines = [...filesOf('app'), ...filesOf('http/system'), ...filesOf('jobs/webhooks')]
      .concat(filesOf('domain/trunks'), filesOf('telephony/carriers'))
      .flatMap((source) => source.split('\n'));
    const expanded = Object.entries(values).reduce(
      (all, [part, words]) =>
        all.flatMap((line) => (line.includes(part) ? words.map((word) => line.replace(part, word)) : [line])),
      lines.map((line) => line.replaceAll('${message}', 'the registrar answers ${refusal}')),
    );
    const said = expanded
      .map((line) => line.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})+\}/g, '7').replaceAll("\\'", "'"))
      .join('\n');
    const strangers = [...DETAILS, ...TRUNK_FAULTS].filter(
      ([detail]) => !new RegExp(formOf(detail)).test(said),
    );
    expect(strangers.map(([detail]) => detail)).toEqual([]);
  });

  it('are the details of its checks that have no value', () => {
    const known = new Set(DETAILS.map(([detail]) => detail));
    const fixed = [...filesOf('app'), ...filesOf('http/system')]
      .join('\n')
      .matchAll(/\bname: '[a-z ]+',\s*ok: \w+,\s*detail: '([^']+)'/g);
    const details = [...fixed].map(([, detail = '']) => detail);
    expect(details.length).toBeGreaterThan(3);
    expect(details.filter((detail) => !known.has(detail))).toEqual([]);
  });
});
