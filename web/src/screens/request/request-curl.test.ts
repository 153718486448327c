import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlOfRequest, isWhole, type LoggedRequest } from './request-curl.ts';

const request = (change: Partial<LoggedRequest>): LoggedRequest => ({
  method: 'POST',
  path: '/api/v0/dnc',
  content_type: 'application/json',
  body_bytes: 20,
  body: { mobile_numbers: ["+1'; rm -rf /"] },
  is_cut: false,
  ...change,
});

describe('a request of the log as curl', () => {
  it('has the key as a variable, and its body as one word of the shell', () => {
    const command = curlOfRequest('http://x.test', request({}));
    expect(command.split(' \\\n  ')).toEqual([
      `curl -X POST 'http://x.test/api/v0/dnc'`,
      '-H "X-API-KEY: $CALLWRIGHT_KEY"',
      `-H 'Content-Type: application/json'`,
      `-d '{"mobile_numbers":["+1'\\''; rm -rf /"]}'`,
    ]);
    const words = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${command}`], {
      encoding: 'utf8',
      env: { CALLWRIGHT_KEY: 'k' },
    });
    expect(words.split('\n').slice(0, -1)).toEqual([
      '-X',
      'POST',
      'http://x.test/api/v0/dnc',
      '-H',
      'X-API-KEY: k',
      '-H',
      'Content-Type: application/json',
      '-d',
      `{"mobile_numbers":["+1'; rm -rf /"]}`,
    ]);
  });

  it('has no body where none was sent, and the fields and files of a form', () => {
    const read = request({
      method: 'GET',
      path: '/api/v0/x?a=$(id)',
      content_type: null,
      body_bytes: null,
      body: null,
    });
    expect(curlOfRequest('', read)).toBe(
      `curl -X GET '/api/v0/x?a=$(id)' \\\n  -H "X-API-KEY: $CALLWRIGHT_KEY"`,
    );
    const form = request({
      content_type: 'multipart/form-data',
      body: { agent_id: 'a', variables_map: { name: 'N' }, files: ['a.csv', 'b".csv'] },
    });
    expect(curlOfRequest('', form).split(' \\\n  ').slice(2)).toEqual([
      `--form-string 'agent_id=a'`,
      `--form-string 'variables_map={"name":"N"}'`,
      `-F 'files=@"a.csv"'`,
      `-F 'files=@"b.csv"'`,
    ]);
    expect(curlOfRequest('', request({ method: 'HEAD', body: null }))).toMatch(/^curl --head /);
  });

  it('is whole unless the log cut it or has no body of it', () => {
    expect(
      [
        {},
        { is_cut: true },
        { body: null },
        { body: null, body_bytes: null },
        { body: null, body_bytes: 0 },
      ].map((change) => isWhole(request(change))),
    ).toEqual([true, false, false, true, true]);
  });
});
