import ipaddr from 'ipaddr.js';
import { isE164 } from '../numbers/e164.ts';
import type { ChildEntry, ProvisionPlan } from '../../wire/provision/schema.ts';
import { TEST_TRUNK } from './test-trunk.ts';
import { uriTransport } from './uri-transport.ts';

type Unique = (what: string) => (value: string, path: string) => void;

/** Children of one parent are told apart by this form of their names. */
const sameName = (name: string): string => name.trim().toLowerCase();

/** What a schema cannot say: names, keys and numbers that repeat, addresses, and what one key demands of another. */
export function crossProblems(plan: ProvisionPlan): string[] {
  const problems: string[] = [];
  const unique: Unique = (what) => {
    const seen = new Map<string, string>();
    return (value, path) => {
      const first = seen.get(value);
      if (first !== undefined) problems.push(`${path} repeats the ${what} of ${first}`);
      else seen.set(value, path);
    };
  };
  const trunkName = unique('name');
  plan.trunks.forEach((trunk, i) => {
    const path = `trunks[${i}]`;
    trunkName(trunk.name, `${path}.name`);
    if (trunk.name === TEST_TRUNK) problems.push(`${path}.name test is the built-in test carrier`);
    problems.push(...uriProblems(`${path}.uri`, trunk.uri));
    if (/^sips:/i.test(trunk.uri) && (trunk.transport ?? 'tls') !== 'tls')
      problems.push(`${path}.transport must be tls for a sips: URI`);
    const isTls = (trunk.transport ?? uriTransport(trunk.uri)) === 'tls';
    trunk.gateways?.forEach(({ uri, transport }, j) => {
      const at = `${path}.gateways[${j}]`;
      problems.push(...uriProblems(`${at}.uri`, uri));
      const own = transport ?? uriTransport(uri);
      if (isTls && own !== null && own !== 'tls')
        problems.push(`${at}.transport must be tls, because the trunk has transport tls`);
      else if (/^sips:/i.test(uri) && own !== 'tls')
        problems.push(`${at}.transport must be tls for a sips: URI`);
    });
    problems.push(...outgoingProblems(path, trunk));
    problems.push(...rangeProblems(`${path}.media_ranges`, trunk.mediaRanges ?? []));
    if (trunk.register === true && trunk.username === undefined) {
      problems.push(`${path}.username is required when register is true`);
    }
  });
  checkWorkspaces(plan.workspaces, unique, problems);
  return problems;
}

/** Headers that the SIP stack writes itself; a second one would make the message ambiguous. */
const OWN_HEADERS: ReadonlySet<string> = new Set(
  'accept allow authorization call-id contact content-encoding content-length content-type cseq expires from max-forwards p-asserted-identity proxy-authorization rack record-route replaces require route session-expires supported to via'.split(
    ' ',
  ),
);

function outgoingProblems(
  path: string,
  { outgoing = {}, username, transport, uri }: ProvisionPlan['trunks'][number],
): string[] {
  const problems: string[] = [];
  const at = `${path}.outgoing`;
  const isNational = [outgoing.callerFormat, outgoing.calleeFormat].includes('national');
  if (isNational && outgoing.callingCode === undefined)
    problems.push(`${at}.calling_code is required for the format national`);
  if (outgoing.callerId === 'p_asserted_identity' && username === undefined)
    problems.push(`${path}.username is required for caller_id p_asserted_identity`);
  const reached = transport ?? uriTransport(uri);
  if (outgoing.udpLimit !== undefined && reached !== null && reached !== 'udp')
    problems.push(`${at}.udp_limit is for transport udp`);
  outgoing.addHeaders?.forEach(({ name }, i) => {
    if (OWN_HEADERS.has(name.toLowerCase()))
      problems.push(`${at}.add_headers[${i}].name ${name} is a header that the service writes itself`);
  });
  return problems;
}

function checkWorkspaces(workspaces: ProvisionPlan['workspaces'], unique: Unique, problems: string[]): void {
  const [workspaceName, apiKey, line] = [unique('name'), unique('key'), unique('number and trunk')];
  const check = (path: string, entry: ChildEntry): void => {
    if (entry.apiKey !== undefined) apiKey(entry.apiKey, `${path}.api_key`);
    const own = unique('number');
    entry.numbers?.forEach((number, j) => {
      const at = `${path}.numbers[${j}]`;
      if (!isE164(number.number)) problems.push(`${at}.number must be in E.164 form, such as +14155550100`);
      own(number.number, at);
      line(`${number.number} ${number.trunk}`, at);
    });
  };
  const childNames = new Map<string, string>();
  workspaces.forEach((workspace, i) => {
    const path = `workspaces[${i}]`;
    workspaceName(workspace.name, `${path}.name`);
    check(path, workspace);
    const sibling = unique('name');
    workspace.children?.forEach((child, j) => {
      const at = `${path}.children[${j}]`;
      sibling(sameName(child.name), `${at}.name`);
      childNames.set(sameName(child.name), at);
      check(at, child);
    });
  });
  workspaces.forEach(({ name }, i) => {
    const child = childNames.get(sameName(name));
    if (child !== undefined) problems.push(`workspaces[${i}].name is also the name of the child ${child}`);
  });
}

/** An entry that matches nothing would refuse the media of every call. */
const rangeProblems = (path: string, ranges: readonly string[]): string[] =>
  ranges.flatMap((range, i) =>
    ipaddr.isValid(range) || ipaddr.isValidCIDR(range)
      ? []
      : [`${path}[${i}] must be an IP address or a CIDR range such as 203.0.113.0/24`],
  );

function uriProblems(path: string, uri: string): string[] {
  const isSip =
    /^sips?:([^@\s;?]+@)?(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?(;transport=(udp|tcp|tls))?$/i.test(uri);
  return isSip ? [] : [`${path} must be a SIP URI such as sip:sip.example.com;transport=udp`];
}
