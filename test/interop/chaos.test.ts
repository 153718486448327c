import { describe, expect, it } from 'vitest';
import { runChaos } from '../chaos/run.ts';

// The small version of `npm run chaos`. A seed of a run that failed makes the same plan and fates again.
const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000));

describe('processes and the database killed while campaigns are dialled', () => {
  it(`loses nothing, rings nobody twice, and money adds up (CHAOS_SEED=${seed})`, async () => {
    const lines: string[] = [];
    const { findings, figures } = await runChaos({
      contacts: 160,
      campaigns: 6,
      processes: 2,
      kills: 10,
      postgresKills: 1,
      seed,
      isHurried: true,
      lifeMs: 2500,
      pointMs: 5000,
      limitMs: 200_000,
      log: (line) => lines.push(line),
    });
    console.log(`chaos, seed ${seed}:`, JSON.stringify(figures));
    if (findings.length > 0) console.log(lines.join('\n'));
    expect(findings).toEqual([]);
    const killed = figures['processes killed at named points']! + figures['processes killed at random']!;
    expect(killed).toBeGreaterThanOrEqual(10);
    expect(figures['times PostgreSQL was killed']).toBe(1);
    expect(figures['INVITEs at the callees']).toBeGreaterThan(100);
  }, 240_000);
});
