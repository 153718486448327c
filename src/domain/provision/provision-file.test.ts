import { describe, expect, it, vi } from 'vitest';
import { parseProvision } from './provision-file.ts';

describe('parseProvision', () => {
  it('accepts YAML, JSON and an empty file', () => {
    expect(parseProvision('')).toEqual({ ok: true, plan: { trunks: [], workspaces: [] } });
    expect(parseProvision('{"workspaces":[{"name":"A"}]}')).toMatchObject({ ok: true });
  });

  it('lists every problem with its path', () => {
    const parsed = parseProvision(`
trunks:
  - { name: test, uri: "sip:x" }
  - { name: a, uri: "sips:x.example" }
  - { name: a, uri: "http://x", register: true, max_calls: 0 }
  - { uri: "sip:x;transport=tls" }
workspaces:
  - { name: A, api_key: short, credits: plenty, limit: 3 }
`);
    expect(parsed).toEqual({
      ok: false,
      problems: [
        'trunks[2].max_calls must be at least 1',
        'trunks[3].name is required',
        'workspaces[0].limit is not a known field',
        'workspaces[0].api_key must be 16 to 256 visible ASCII characters',
        'workspaces[0].credits must be a number from 0 to 1000000000, or unlimited',
      ],
    });
    const crossed = parseProvision(`
trunks:
  - { name: test, uri: "sip:x.example" }
  - { name: a, uri: "sips:x.example", transport: tcp }
  - { name: a, uri: "http://x", register: true, media_ranges: [203.0.113.0/24, "2001:db8::1", 203.0.113.0/33] }
  - { name: b, uri: "sip:x.example", gateways: [{ uri: "sip:192.0.2.1", weight: 3 }, { uri: "sips:192.0.2.2" }, { uri: nonsense }] }
  - { name: c, uri: "sips:x.example", gateways: [{ uri: "sip:192.0.2.1;transport=tcp" }, { uri: "sip:192.0.2.2" }] }
  - { name: e, uri: "sip:x.example;transport=tcp", outgoing: { caller_format: national, caller_id: p_asserted_identity, udp_limit: 1000, add_headers: [{ name: X-Id, value: a }, { name: Contact, value: b }] } }
  - { name: d, uri: "sip:x.example", gateways: [{ uri: "sips:192.0.2.1", transport: udp }] }
workspaces:
  - { name: A, api_key: 0123456789abcdef, numbers: [{ number: "4155550100", trunk: a }] }
  - { name: A, api_key: 0123456789abcdef, numbers: [{ number: "+14155550100", trunk: a }, { number: "+14155550100", trunk: a }] }
`);
    expect(crossed.ok ? [] : crossed.problems).toEqual([
      'trunks[0].name test is the built-in test carrier',
      'trunks[1].transport must be tls for a sips: URI',
      'trunks[2].name repeats the name of trunks[1].name',
      'trunks[2].uri must be a SIP URI such as sip:sip.example.com;transport=udp',
      'trunks[2].media_ranges[2] must be an IP address or a CIDR range such as 203.0.113.0/24',
      'trunks[2].username is required when register is true',
      'trunks[3].gateways[2].uri must be a SIP URI such as sip:sip.example.com;transport=udp',
      'trunks[4].gateways[0].transport must be tls, because the trunk has transport tls',
      'trunks[5].outgoing.calling_code is required for the format national',
      'trunks[5].username is required for caller_id p_asserted_identity',
      'trunks[5].outgoing.udp_limit is for transport udp',
      'trunks[5].outgoing.add_headers[1].name Contact is a header that the service writes itself',
      'trunks[6].gateways[0].transport must be tls for a sips: URI',
      'workspaces[0].numbers[0].number must be in E.164 form, such as +14155550100',
      'workspaces[1].name repeats the name of workspaces[0].name',
      'workspaces[1].api_key repeats the key of workspaces[0].api_key',
      'workspaces[1].numbers[1] repeats the number of workspaces[1].numbers[0]',
      'workspaces[1].numbers[1] repeats the number and trunk of workspaces[1].numbers[0]',
    ]);
  });

  it('refuses a child whose name a sibling or a workspace of the top level has, and a child of a child', () => {
    const parsed = parseProvision(`
workspaces:
  - name: Agency
    children: [{ name: Client A }, { name: " client a" }, { name: Client B, numbers: [{ number: "1", trunk: test }] }]
  - { name: Client B, api_key: 0123456789abcdef }
`);
    expect(parsed.ok ? [] : parsed.problems).toEqual([
      'workspaces[0].children[1].name repeats the name of workspaces[0].children[0].name',
      'workspaces[0].children[2].numbers[0].number must be in E.164 form, such as +14155550100',
      'workspaces[1].name is also the name of the child workspaces[0].children[2]',
    ]);
    const deep = parseProvision('workspaces: [{ name: A, children: [{ name: B, children: [] }] }]');
    expect(deep.ok ? [] : deep.problems).toEqual(['workspaces[0].children[0].children is not a known field']);
  });

  it('gives the process no warning that quotes the file', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    parseProvision('workspaces:\n  - !secret { name: A }\n');
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it('refuses keys that are no text, which nest to exponential time', () => {
    const nested = `a: ${'? '.repeat(200)}b`;
    expect(parseProvision(`a:\n  ${'? '.repeat(200)}b`)).toEqual({
      ok: false,
      problems: ['file has a key that is no text'],
    });
    expect(parseProvision(nested).ok).toBe(false);
    expect(parseProvision('[a]: b').ok).toBe(false);
  });

  it('names the line of invalid YAML, and refuses alias bombs', () => {
    expect(parseProvision('a: 1\nb: [')).toEqual({
      ok: false,
      problems: [expect.stringMatching(/^file is not valid YAML or JSON \(line \d\)$/)],
    });
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
      .split('')
      .map((c, i) => `${c}: &${c} [${`*${'abcdefghij'[i]},`.repeat(9)}]`)
      .join('\n')}`;
    expect(parseProvision(bomb).ok).toBe(false);
  });
});
