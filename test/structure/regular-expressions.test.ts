import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultOf, type Fault } from './regex/ambiguity.ts';
import { constructedBy, constructionsIn } from './regex/constructed.ts';
import { literalsIn, type Literal } from './regex/literals.ts';
import { productFiles, projectFolder } from './sources.ts';

/** Patterns that the analysis cannot prove linear, each with the proof. */
const PROVEN: Readonly<Record<string, string>> = {
  [String.raw`\d(?:[ \t().\-/\u2010-\u2015_\u00B7:*']*\d){4,}`]:
    'a run with five digits matches, so at most four attempts scan the same run',
  [String.raw`\+?\d[\d\s().\-/]{5,}\d`]:
    'a run with a digit six characters after the first matches, so at most eight attempts scan the same run',
  [String.raw`(?<=[.!?।]["')]?)\s+(?=[^\s])`]:
    'the lookbehind holds only before the first blank of a run, so each run is scanned once',
};

/**
 * Constructions inside functions, from data: their number in a file, and the cap on what they are matched against.
 * Every other construction stands at the top level of its module, where this test runs and judges it.
 */
const FROM_DATA: Readonly<Record<string, { readonly count: number; readonly cap: string }>> = {
  'src/domain/numbers/usual-number.ts': {
    count: 2,
    cap: 'patterns of the phone number metadata, matched against E.164 numbers of at most 15 digits',
  },
};

interface Finding {
  readonly at: string;
  readonly source: string;
  readonly fault: Fault;
}

const sources = productFiles();

/** Constructions by module, and the lines of those that are no top-level code. */
function constructions(): { found: (Literal & { readonly file: string })[]; unseen: Record<string, number> } {
  const sites = sources
    .map(({ file, text }) => ({ file, lines: constructionsIn(text) }))
    .filter(({ lines }) => lines.length > 0);
  const found = constructedBy(sites.map(({ file }) => join(projectFolder, file))).map(
    ({ path, ...literal }) => ({
      ...literal,
      file: relative(projectFolder, path),
    }),
  );
  const seen = new Set(found.map(({ file, line }) => `${file}:${line}`));
  const unseen = sites
    .map(({ file, lines }) => [file, lines.filter((line) => !seen.has(`${file}:${line}`)).length] as const)
    .filter(([, count]) => count > 0);
  return { found, unseen: Object.fromEntries(unseen) };
}

function judged(literals: readonly (Literal & { readonly file: string })[]): Finding[] {
  return literals.flatMap(({ file, line, source, flags }) => {
    const fault = faultOf(source, flags);
    return fault === null ? [] : [{ at: `${file}:${line}`, source, fault }];
  });
}

describe('regular expressions', () => {
  it('take linear time, or are proven to', { timeout: 60_000 }, () => {
    const literals = sources.flatMap(({ file, text }) =>
      literalsIn(text).map((literal) => ({ ...literal, file })),
    );
    expect(literals.length).toBeGreaterThan(900);
    const found = judged(literals);
    const unproven = found.filter(({ source }) => !Object.hasOwn(PROVEN, source));
    expect(unproven.map(({ at, fault, source }) => `${at} ${fault} /${source}/`)).toEqual([]);
    const patterns = new Set(found.map(({ source }) => source));
    expect(Object.keys(PROVEN).filter((source) => !patterns.has(source))).toEqual([]);
  });

  it('take linear time where code constructs them, or match capped text', { timeout: 60_000 }, () => {
    const { found, unseen } = constructions();
    expect(found.length).toBeGreaterThan(25);
    expect(judged(found).map(({ at, fault, source }) => `${at} ${fault} /${source}/`)).toEqual([]);
    const allowed = Object.fromEntries(Object.entries(FROM_DATA).map(([file, { count }]) => [file, count]));
    expect(unseen).toEqual(allowed);
  });

  it.each<[string, string, Fault | null]>([
    ['(a*)*b', '', 'exponential'],
    ['(?:a|a)*b', '', 'exponential'],
    [String.raw`^(?:\w+\s?)*$`, '', 'exponential'],
    ['^a*a*b', '', 'polynomial'],
    [String.raw`@?\{\{\s*([^{}]+?)\s*\}\}`, 'gu', 'polynomial'],
    [String.raw`[ \t]*\r\n[ \t]+`, 'g', 'restart'],
    [String.raw`\s+$`, '', 'restart'],
    [String.raw`^a{1,200}a{1,200}b`, '', 'polynomial'],
    [String.raw`(?=\s+$)`, '', 'restart'],
    [String.raw`@?\{\{([^{}]+)\}\}`, 'gu', null],
    [String.raw`^\s+$`, '', null],
    [String.raw`(?<!\s)\s+x`, '', null],
    [String.raw`\b\w+\s`, '', null],
    [String.raw`^(?:\.\d+)*$`, '', null],
    [String.raw`^to\s+(.+)$`, '', 'polynomial'],
    [String.raw`^to\s+(.+)$`, 's', null],
    [String.raw`\bto (.+)$`, 'i', 'restart'],
    [String.raw`\bto (.+)$`, 'is', null],
    [String.raw`^to\s+(\S.*)$`, 's', null],
    [String.raw`\s+$`, 'y', null],
  ])('/%s/%s: %s', (source, flags, fault) => {
    expect(faultOf(source, flags)).toBe(fault);
  });

  it('are found where code constructs them, except in comments', () => {
    const text = [
      'const a = new RegExp(`^${b}$`);',
      '/** new RegExp(x) */',
      ' * new RegExp(x)',
      'return RegExp(c);',
    ];
    expect(constructionsIn(text.join('\n'))).toEqual([1, 4]);
  });

  it('are found beside divisions, templates, strings and comments', () => {
    const text = [
      'const a = b / c / d; // /no/',
      "const e = 'x/y/z'; /* /no/ */",
      'const f = `a/${g.replace(/[/`]+/g, `${h / 2}`)}/b`;',
      'if (!/\\/x/u.test(k)) return /y/i;',
    ].join('\n');
    expect(literalsIn(text).map(({ line, source, flags }) => `${line} ${source} ${flags}`)).toEqual([
      '3 [/`]+ g',
      String.raw`4 \/x u`,
      '4 y i',
    ]);
  });
});
