import { describe, expect, it } from 'vitest';
import { readAdvisories } from '../../scripts/advisory-report.ts';

/** An answer of `npm audit --json`, with these advisories by package. */
const answer = (vulnerabilities: object): string =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities,
    metadata: { vulnerabilities: { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0 } },
  });

const PATH_TRAVERSAL = {
  source: 1101234,
  name: 'archive',
  dependency: 'archive',
  title: 'Path traversal in archive',
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  severity: 'high',
  cwe: ['CWE-22'],
  cvss: { score: 8.1, vectorString: null },
  range: '<2.0.1',
};

describe('the advisories of a registry', () => {
  it('fail the check when one is high or critical, and name the package and the address', () => {
    const text = answer({
      archive: { name: 'archive', severity: 'high', isDirect: false, via: [PATH_TRAVERSAL], range: '<2.0.1' },
      unpacker: { name: 'unpacker', severity: 'high', isDirect: true, via: ['archive'], range: '*' },
      parser: {
        name: 'parser',
        severity: 'critical',
        via: [{ ...PATH_TRAVERSAL, title: 'Code runs', url: 'https://x.example', severity: 'critical' }],
      },
    });
    expect(readAdvisories(text)).toEqual({
      known: true,
      serious: [
        'archive: Path traversal in archive (https://github.com/advisories/GHSA-aaaa-bbbb-cccc)',
        'parser: Code runs (https://x.example)',
      ],
      others: 0,
    });
  });

  it('pass the check when they are low or moderate, or none', () => {
    const moderate = { ...PATH_TRAVERSAL, severity: 'moderate' };
    const text = answer({
      archive: { severity: 'moderate', via: [moderate, { ...moderate, severity: 'low' }] },
    });
    expect(readAdvisories(text)).toEqual({ known: true, serious: [], others: 2 });
    expect(readAdvisories(answer({}))).toEqual({ known: true, serious: [], others: 0 });
  });

  it.each([
    ['nothing at all', '', 'npm printed no JSON'],
    ['a page of a proxy', '<html>502</html>', 'npm printed no JSON'],
    [
      'no network',
      JSON.stringify({
        message:
          'request to https://registry.example/-/npm/v1/security/audits/quick failed, reason: ECONNREFUSED',
        error: { code: 'ECONNREFUSED', summary: 'request failed', detail: '' },
      }),
      'request to https://registry.example/-/npm/v1/security/audits/quick failed, reason: ECONNREFUSED',
    ],
    [
      'a registry without advisories',
      JSON.stringify({
        error: { code: 'ENOAUDIT', summary: 'Your configured registry does not support audits', detail: '' },
      }),
      'Your configured registry does not support audits',
    ],
    ['an answer without a reason', JSON.stringify({ error: { code: null, summary: '' } }), 'no reason given'],
  ])('are unknown after %s', (_what, text, reason) => {
    expect(readAdvisories(text)).toEqual({ known: false, reason });
  });
});
