import { table } from '../report.ts';

/** One service, with or without the part whose cost is measured. */
export interface Side {
  readonly name: 'on' | 'off';
  readonly url: string;
}

/** Sends the load to a service for some time; resolves with the requests per second. */
type Send = (url: string) => Promise<number>;

const ROUNDS = 4;

/** Processor seconds of a service since its start. */
async function cpuOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
}

interface Cost {
  requests: number;
  cpuSeconds: number;
}

/**
 * Processor time of the service for one request with a part of it, such as the request log, and without it: both services
 * run on one database, and their rounds alternate.
 */
export async function alternatingCost(
  part: string,
  sides: readonly Side[],
  loads: readonly { readonly name: string; readonly send: Send }[],
  seconds: number,
): Promise<string> {
  const rows: string[][] = [];
  for (const { name, send } of loads) {
    const costs: Record<Side['name'], Cost> = {
      on: { requests: 0, cpuSeconds: 0 },
      off: { requests: 0, cpuSeconds: 0 },
    };
    for (const { url } of sides) await send(url);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const before = await cpuOf(side.url);
        const perSecond = await send(side.url);
        costs[side.name].cpuSeconds += (await cpuOf(side.url)) - before;
        costs[side.name].requests += perSecond * seconds;
      }
    }
    const microseconds = ({ requests, cpuSeconds }: Cost): number => (cpuSeconds * 1e6) / requests;
    const { on, off } = costs;
    rows.push([
      name,
      microseconds(on).toFixed(0),
      microseconds(off).toFixed(0),
      (microseconds(on) / microseconds(off)).toFixed(2),
      (on.requests / off.requests).toFixed(2),
    ]);
  }
  return table(
    [part, 'CPU µs/request with it', 'without it', 'ratio', 'requests/s with it, of those without'],
    rows,
  );
}
