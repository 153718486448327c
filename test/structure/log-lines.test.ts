import { describe, expect, it } from 'vitest';
import { productFiles, type SourceFile } from './sources.ts';

/**
 * Scans the source for log calls: messages must be constant, and fields must be ids, counts, names from the program
 * or errors stripped by `safeError`. Any other field may hold personal data: it fails until it is reviewed and listed
 * here.
 */
const FIELDS: Readonly<Record<string, string>> = {
  err: 'stripped by safeError',
  callId: 'id',
  agentId: 'id',
  chatId: 'id',
  chatMessageId: 'id',
  tries: 'count',
  released: 'count',
  next: 'constant of the program',
  workspaceId: 'id',
  erasureId: 'id',
  cap: 'the name of a cap of limits: calls_per_minute or credits_per_day',
  deliveryId: 'id',
  jobId: 'id',
  requestId: 'id',
  nodeId: 'id',
  node: 'id',
  attempt: 'count',
  attempts: 'count',
  status: 'code',
  sipCode: 'code',
  code: 'code',
  error: 'name of an error',
  errorCode: 'code',
  trace: 'source locations',
  kind: 'constant of the program',
  part: 'constant of the program',
  campaignId: 'id',
  messageId: 'id',
  month: 'month of calls',
  vendor: 'name of a vendor, known to the program',
  work: 'constant of the program',
  reason: 'constant of the program',
  route: 'pattern',
  action: 'constant of the program',
  lost: 'names of operations and ids',
  pid: 'id',
  thread: 'constant of the program',
  worker: 'count',
  engine: 'constant of the program',
  model: 'name of a model in the catalogue',
  share: 'processor time',
  faults: 'why a voice of this machine did not speak: its name and the error of its program',
  notes: 'constants of the program, with names of processes',
  trunk: 'id or name, set by the operator',
  trunkId: 'id',
  trunks: 'count',
  workspaces: 'count',
  added: 'names of trunks, set by the operator',
  changed: 'names of trunks, set by the operator',
  removed: 'names of trunks, set by the operator',
  problems: 'paths and rules of the provision file',
  peer: 'address of a SIP peer',
  domain: 'host of a trunk, set by the operator',
  realm: 'of a SIP challenge, at most 100 characters',
  address: 'public address of this machine',
  listening: 'local addresses',
  transport: 'constant of the program',
  freeBytes: 'count',
  problem: 'constants of the program, with seconds',
  wanted: 'local path',
  used: 'local path',
  user: 'system account',
  joined: 'boolean',
  signal: 'name of a signal',
  step: 'constant of the program',
  seconds: 'duration',
  startMs: 'duration',
  swept: 'counts',
  '...traceOf(error)': 'name, code and source locations',
};

const CALL = /\b(?:#?log|options\.log|deps\.log)\.(trace|debug|info|warn|error|fatal)\(/g;

interface Line {
  readonly at: string;
  /** The text between the parentheses. */
  readonly args: string;
}

function linesOf({ file, text }: SourceFile): Line[] {
  return [...text.matchAll(CALL)].map((match) => {
    const from = match.index + match[0].length;
    let depth = 1;
    let to = from;
    while (depth > 0 && to < text.length) {
      if ('({['.includes(text[to] ?? ' ')) depth += 1;
      if (')}]'.includes(text[to] ?? ' ')) depth -= 1;
      to += 1;
    }
    const line = text.slice(0, match.index).split('\n').length;
    return {
      at: `${file}:${line}`,
      args: text
        .slice(from, to - 1)
        .replaceAll(/\s+/g, ' ')
        .trim(),
    };
  });
}

/** The fields and the message of a log call; null for any other shape. */
function read(args: string): { fields: string[]; message: string } | null {
  const alone = /^'([^']*)',?$/.exec(args);
  if (alone !== null) return { fields: [], message: alone[1] ?? '' };
  const both = /^(?:\{(.*)\}|(\w+)), ['"]([^`]*)['"],?$/.exec(args);
  if (both === null) return null;
  const [, inner = '', name, message = ''] = both;
  const fields =
    name === undefined ? inner.split(/,(?![^(]*\))/).map((part) => part.split(':')[0] ?? '') : [name];
  return { fields: fields.map((field) => field.trim()).filter((field) => field !== ''), message };
}

describe('log lines', () => {
  const lines = productFiles().flatMap(linesOf);

  it('have constant messages and only listed fields, which hold no personal data', () => {
    expect(lines.length).toBeGreaterThan(60);
    const unknown = lines.flatMap(({ at, args }) => {
      const line = read(args);
      if (line === null) return [`${at} ${args}`];
      return line.fields.filter((field) => !Object.hasOwn(FIELDS, field)).map((field) => `${at} ${field}`);
    });
    expect(unknown).toEqual([]);
  });
});
