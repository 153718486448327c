/** An offer or an answer of one side of a dialog, in the order of the dialog. `answers`: the offer that it answers. */
export interface Described {
  readonly by: 'us' | 'peer';
  readonly sdp: string;
  readonly answers: string | null;
}

interface Line {
  readonly kind: string;
  readonly port: number;
  readonly protocol: string;
  readonly formats: readonly string[];
  /** Encodings by payload type, as `a=rtpmap` has them. */
  readonly encodings: ReadonlyMap<string, string>;
  readonly direction: string;
}

/** Reads SDP without the code under test. */
const linesOf = (sdp: string): Line[] =>
  sdp
    .split(/^m=/m)
    .slice(1)
    .map((section) => {
      const [first = '', ...attributes] = section.split('\r\n');
      const [kind = '', port = '', protocol = '', ...formats] = first.split(' ');
      const encodings = new Map(
        attributes.flatMap((line) => {
          const match = /^a=rtpmap:(\d+) (\S+)/.exec(line);
          return match === null ? [] : [[match[1] ?? '', match[2] ?? ''] as const];
        }),
      );
      const direction =
        attributes.map((line) => /^a=(sendrecv|sendonly|recvonly|inactive)$/.exec(line)?.[1]).find(Boolean) ??
        'sendrecv';
      return { kind, port: Number(port), protocol, formats, encodings, direction };
    });

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  sendrecv: ['sendrecv', 'sendonly', 'recvonly', 'inactive'],
  sendonly: ['recvonly', 'inactive'],
  recvonly: ['sendonly', 'inactive'],
  inactive: ['inactive'],
};

/** What an answer breaks of RFC 3264 section 6. */
function answerFaults(offer: string, answer: string): string[] {
  const [offered, answered] = [linesOf(offer), linesOf(answer)];
  if (offered.length !== answered.length) return [`${answered.length} lines answer ${offered.length}`];
  return answered.flatMap((line, index) => {
    const wanted = offered[index] as Line;
    const faults: string[] = [];
    if (line.kind !== wanted.kind || line.protocol !== wanted.protocol)
      faults.push(`line ${index} has another type or transport`);
    if (line.port === 0) return faults;
    if (wanted.port === 0) faults.push(`line ${index} takes a line that was not offered`);
    if (!line.formats.every((format) => wanted.formats.includes(format)))
      faults.push(`line ${index} has formats that were not offered`);
    for (const [type, encoding] of line.encodings) {
      const theirs = wanted.encodings.get(type);
      if (theirs !== undefined && theirs.toLowerCase() !== encoding.toLowerCase())
        faults.push(`payload type ${type} is ${encoding}, not ${theirs}`);
    }
    if (ALLOWED[wanted.direction]?.includes(line.direction) !== true)
      faults.push(`${line.direction} answers ${wanted.direction}`);
    return faults;
  });
}

/** What a description breaks of RFC 3264 section 8 and RFC 8866 section 5.2 after the last one of its side and of the session. */
function changeFaults(last: string | null, session: string | null, sdp: string): string[] {
  const faults: string[] = [];
  const lines = linesOf(sdp);
  const before = session === null ? [] : linesOf(session);
  if (lines.length < before.length) faults.push('a line of the session is gone');
  before.forEach(({ kind }, index) => {
    if (lines[index] !== undefined && lines[index].kind !== kind)
      faults.push(`line ${index} changed its type`);
  });
  if (!/^c=IN IP[46] \S+$/m.test(sdp)) faults.push('it has no c= line');
  if (last === null) return faults;
  const origin = (text: string): readonly string[] => /^o=(\S+ \S+) (\d+) /m.exec(text)?.slice(1) ?? [];
  const [[name, version], [lastName, lastVersion]] = [origin(sdp), origin(last)];
  if (name !== lastName) faults.push('o= names another session');
  const step = Number(version) - Number(lastVersion);
  if (step !== (sdp === last ? 0 : 1)) faults.push(`the version of o= rises by ${step}`);
  return faults;
}

/** Violations of the offer/answer model in the descriptions of one side. */
export function violations(dialog: readonly Described[], by: Described['by']): string[] {
  let [last, session]: [string | null, string | null] = [null, null];
  const types = new Map<string, string>();
  const faults: string[] = [];
  for (const one of dialog) {
    if (one.by === by) {
      if (one.answers !== null) faults.push(...answerFaults(one.answers, one.sdp));
      faults.push(...changeFaults(last, session, one.sdp));
      for (const [type, encoding] of linesOf(one.sdp).flatMap(({ encodings }) => [...encodings])) {
        if ((types.get(type) ?? encoding) !== encoding)
          faults.push(`payload type ${type} changed its encoding`);
        types.set(type, encoding);
      }
      last = one.sdp;
    }
    session = one.sdp;
  }
  return faults;
}
