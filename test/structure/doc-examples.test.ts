import { describe, expect, it } from 'vitest';
import { examplesOf, PAGES } from '../helpers/service/doc-examples.ts';

/** Those that test/processes/doc-examples.test.ts runs or checks; test/interop-processes/python-sdk.test.ts runs Python. */
const CHECKED = ['sh', 'http', 'env', 'yaml', 'ts', 'js', 'nft', 'ini', 'python'];
/** Output, markup, and files for other programs. */
const READ_ONLY = ['console', 'html', 'jsx', 'json', 'sql', 'caddyfile', 'nginx', 'mermaid', 'conf', 'xml'];

describe.each(PAGES)('the examples of %s', (page) => {
  it('have a language that a test runs or that is only read', () => {
    const unknown = examplesOf(page).filter(({ language }) => ![...CHECKED, ...READ_ONLY].includes(language));
    expect(unknown.map(({ line, language }) => `${page}:${line} ${language}`)).toEqual([]);
  });

  it('give a reason where no test runs them', () => {
    const short = examplesOf(page).filter(({ notRun }) => notRun !== null && notRun.length < 20);
    expect(short.map(({ line }) => `${page}:${line}`)).toEqual([]);
  });

  it('name the program as it is found after a clone', () => {
    const wrong = examplesOf(page).filter(
      ({ language, text }) => language === 'sh' && /^\s*(?:[A-Z_]+=\S+ )*callwright\s/m.test(text),
    );
    expect(wrong.map(({ line }) => `${page}:${line}`)).toEqual([]);
  });
});
