import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { paced, repeated, sleep, type Attack, type Report } from './attack.ts';
import { openSource, sipRequest, startOf, type Source } from './sip-text.ts';

let ids = 0;
const newCallId = (): string => `attack-${(ids += 1)}-${randomBytes(3).toString('hex')}`;

/** Sources on addresses of their own, `127.<net>.0.1` and on. Closed with `stop`. */
async function openSources(net: number, count: number, stop: AbortSignal): Promise<Source[]> {
  const sources = await Promise.all(
    Array.from({ length: count }, (_, n) => openSource(`127.${net}.${Math.floor(n / 250)}.${(n % 250) + 1}`)),
  );
  stop.addEventListener('abort', () => sources.forEach((source) => source.close()), { once: true });
  return sources;
}

function countAnswers(sources: readonly Source[], report: Report): void {
  for (const { received } of sources) for (const text of received.splice(0)) report.answer(startOf(text));
}

/** A folded header of 64 kB of blanks: cubic for an unfolding pattern. */
const folded = (source: Source): string =>
  sipRequest({ method: 'OPTIONS', from: source, id: newCallId() }).replace(
    'Content-Length',
    `X: ${' '.repeat(62_000)}a\r\n b\r\nContent-Length`,
  );

const foldedHeads: Attack = {
  id: '1.1',
  name: 'OPTIONS with 62 kB of folded blanks (UDP, TCP)',
  async run(target, report, stop) {
    const sources = await openSources(21, 50, stop);
    let turn = 0;
    const overTcp = repeated(500, stop, async () => {
      const socket = connect({ host: '127.0.0.1', port: target.sipPort, localAddress: '127.21.9.9' });
      socket.on('error', () => undefined);
      const text = folded(sources[0]!).replace('SIP/2.0/UDP', 'SIP/2.0/TCP');
      socket.write(text);
      report.sent += 1;
      await sleep(400, stop);
      report.answer(socket.destroyed ? 'closed' : 'open');
      socket.destroy();
    });
    await paced(100, stop, () => {
      const source = sources[(turn += 1) % sources.length]!;
      source.send(folded(source), target.sipPort);
      report.sent += 1;
    });
    await overTcp;
    countAnswers(sources, report);
  },
};

/** Requests of one method from many sources at a rate. */
const flood = (
  id: string,
  name: string,
  net: number,
  perSecond: number,
  make: (source: Source) => string | Buffer,
): Attack => ({
  id,
  name,
  async run(target, report, stop) {
    const sources = await openSources(net, 100, stop);
    let turn = 0;
    await paced(perSecond * target.floodShare, stop, () => {
      const source = sources[(turn += 1) % sources.length]!;
      source.send(make(source), target.sipPort);
      report.sent += 1;
      if (turn % 500 === 0) countAnswers(sources, report);
    });
    countAnswers(sources, report);
  },
});

const tcpPlaces: Attack = {
  id: '1.3',
  name: 'idle TCP connections from 40 addresses, reopened',
  async run(target, report, stop) {
    const held = new Set<Socket>();
    const open = (address: string): void => {
      const socket = connect({ host: '127.0.0.1', port: target.sipPort, localAddress: address });
      report.sent += 1;
      held.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        report.answer('closed');
        held.delete(socket);
      });
    };
    let turn = 0;
    await paced(200, stop, () => {
      if (held.size < 560) open(`127.23.0.${((turn += 1) % 40) + 1}`);
    });
    report.answers.set('open at the end', [...held].filter((socket) => !socket.connecting).length);
    for (const socket of held) socket.destroy();
  },
};

/** Strangers must get the same answer for a known and an unknown trunk account. */
const accounts: Attack = {
  id: '1.6',
  name: 'trunk accounts guessed by INVITE and REGISTER; malformed requests',
  async run(target, report, stop) {
    const sources = await openSources(24, 60, stop);
    const seen = new Map<string, Set<string>>();
    let turn = 0;
    await paced(300, stop, () => {
      const source = sources[(turn += 1) % sources.length]!;
      const user = turn % 2 === 0 ? target.account.username : 'nobody';
      const credentials = `Authorization: Digest username="${user}", realm="callwright", nonce="x", uri="sip:a", response="${'0'.repeat(32)}", qop=auth, nc=00000001, cnonce="c"`;
      const kind = turn % 5;
      const id = `${user}-${newCallId()}`;
      const parts = { from: source, id, headers: kind === 0 ? [] : [credentials] };
      if (kind === 3) source.send(sipRequest({ method: 'REGISTER', ...parts }), target.sipPort);
      else if (kind === 4)
        source.send(`INVITE sip:a SIP/2.0\r\nVia: x\r\n${'A: b\r\n'.repeat(50)}\r\n`, target.sipPort);
      else source.send(sipRequest({ method: 'INVITE', ...parts }), target.sipPort);
      report.sent += 1;
      for (const { received } of sources) {
        for (const text of received.splice(0)) {
          report.answer(startOf(text));
          const asked = /call-id: *(\S+?)-attack/i.exec(text)?.[1];
          if (asked === undefined) continue;
          const shape = `${startOf(text)} ${/realm="[^"]*"/.exec(text)?.[0] ?? ''}`;
          seen.set(asked, (seen.get(asked) ?? new Set()).add(shape));
        }
      }
    });
    const known = [...(seen.get(target.account.username) ?? [])].toSorted().join();
    const unknown = [...(seen.get('nobody') ?? [])].toSorted().join();
    if (known !== unknown) report.leak(`the answers tell accounts apart: ${known} for ${unknown}`);
  },
};

const noise = Array.from({ length: 64 }, (_, n) => randomBytes(1 + ((n * 397) % 1400)));

export const strangersBySip: readonly Attack[] = [
  foldedHeads,
  flood('1.2', 'BYEs without To tag, 3,000 a second alone', 22, 3000, (source) =>
    sipRequest({ method: 'BYE', from: source, id: newCallId() }),
  ),
  tcpPlaces,
  accounts,
  flood('1.6', 'CANCELs of no transaction, 3,000 a second alone', 25, 3000, (source) =>
    sipRequest({ method: 'CANCEL', from: source, id: newCallId() }),
  ),
  flood(
    '1.6',
    'random bytes, 3,000 datagrams a second alone',
    26,
    3000,
    () => noise[(ids += 1) % noise.length]!,
  ),
];

export const attackCallId = newCallId;
