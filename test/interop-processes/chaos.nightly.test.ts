import { describe, expect, it } from 'vitest';
import { runChaos } from '../chaos/run.ts';

// Short version of `npm run chaos`. The seed of a failed run reproduces its plan and faults.
const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000));

describe('killing processes and the database during campaigns', () => {
  it(`loses no contact or event, rings no callee twice and keeps balances exact (CHAOS_SEED=${seed})`, async () => {
    const lines: string[] = [];
    const { findings, figures } = await runChaos({
      contacts: 160,
      campaigns: 6,
      processes: 2,
      kills: 10,
      postgresKills: 1,
      seed,
      isHurried: true,
      lifetimeMs: 2500,
      pointTimeoutMs: 5000,
      limitMs: 420_000,
      log: (line) => lines.push(line),
    });
    console.log(`chaos, seed ${seed}:`, JSON.stringify(figures));
    if (findings.length > 0) console.log(lines.join('\n'));
    expect(findings).toEqual([]);
    const killed = figures['processes killed at named points']! + figures['processes killed at random']!;
    expect(killed).toBeGreaterThanOrEqual(10);
    expect(figures['times PostgreSQL was killed']).toBe(1);
    expect(figures['callees that rang']).toBeGreaterThan(100);
    expect(figures['place requests at the carrier']).toBeGreaterThan(20);
  }, 600_000);
});
