import { availableParallelism, cpus, totalmem } from 'node:os';
import type { Config } from '../config.ts';
import { planOf, type CapacityPlan } from '../offline/capacity-plan.ts';
import { callsThatFit, CORES } from '../offline/machine-capacity.ts';
import { measureShares, type MeasuredShares } from '../offline/measure-shares.ts';

export interface CapacityOptions {
  /** The calls at once to plan for. */
  readonly calls: number;
  readonly json: boolean;
}

const ROUNDS = 5;

interface Way {
  /** Who hears and speaks. */
  readonly by: string;
  /** Of a core, while a caller speaks. */
  readonly share: number;
  readonly fit: number;
  readonly plan: CapacityPlan;
}

/** `callwright capacity`: measures the engines of this machine and prints how many calls fit. Returns the exit code. */
export async function runCapacity(
  config: Pick<Config, 'modelsDir' | 'turnModel'>,
  options: CapacityOptions,
): Promise<number> {
  const shares = await measureShares(config.modelsDir, config.turnModel, ROUNDS);
  const ways = waysOf(CORES, shares, options.calls);
  const measured = JSON.stringify({ cores: CORES, shares, ways }, null, 2);
  console.log(options.json ? measured : report(shares, ways, options.calls));
  return 0;
}

/** Who may hear and speak on a machine, and what each costs. */
export function waysOf(cores: number, shares: MeasuredShares, calls: number): Way[] {
  const fit = callsThatFit(cores, shares);
  const { words, phrases, wordsBy } = shares;
  const way = (by: string, share: number, count: number, spoken = shares): Way => ({
    by,
    share,
    fit: count,
    plan: planOf(calls, spoken, share),
  });
  const mute = { ...shares, voice: null };
  return [
    way('vendors hear and speak', 0, callsThatFit(cores, mute).vendors, mute),
    way('a vendor hears, this machine speaks', 0, fit.vendors),
    ...(words === null || fit.words === null
      ? []
      : [way(`this machine hears by words (${wordsBy}) and speaks`, words, fit.words)]),
    ...(phrases === null || fit.phrases === null
      ? []
      : [way('this machine hears by phrases (pocketsphinx) and speaks', phrases, fit.phrases)]),
  ];
}

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
const BYTES_PER_GB = 1e9;

function report(shares: MeasuredShares, ways: readonly Way[], calls: number): string {
  const [processor] = cpus();
  const [{ plan } = { plan: planOf(calls, shares, 0) }] = ways;
  const voice =
    shares.voice === null
      ? 'no voice of this machine speaks'
      : `${percent(shares.voice)} while the agent speaks (${shares.voiceBy})`;
  const width = Math.max(...ways.map(({ by }) => by.length));
  return [
    `${availableParallelism()} cores (${processor?.model.trim() ?? 'unknown'}), ${(totalmem() / BYTES_PER_GB).toFixed(0)} GB`,
    '',
    'What a call takes of a core:',
    `  carrying it     ${percent(shares.media)}`,
    `  its voice       ${voice}`,
    '',
    'Calls at once that fit on 80 % of the cores, each side speaking half of the time:',
    ...ways.map(
      ({ by, share, fit }) =>
        `  ${by.padEnd(width)}  ${String(fit).padStart(6)}${share === 0 ? '' : `   ${percent(share)} while a caller speaks`}`,
    ),
    '',
    `${calls} calls at once on machines like this one:`,
    ...ways.map(({ by, plan: { cores } }) => `  ${by.padEnd(width)}  ${String(cores).padStart(6)} cores`),
    `  ${plan.processes} ${plan.processes === 1 ? 'process' : 'processes'}, ${plan.memoryMb} MB of memory, ${plan.udpPorts} UDP ports`,
    `  ${plan.megabits} Mbit/s and ${plan.packetsPerSecond} packets a second in each direction`,
    `  ${plan.recordingGbPerHour.toFixed(1)} GB of recordings an hour`,
    '',
    'Carrying a call holds a constant for packets and conversation, measured by npm run bench:media; speech detection, voices and',
    'recognisers ran here. The database is not part of it: docs/scaling.md.',
  ].join('\n');
}
