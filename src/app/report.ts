import type { Config } from '../config.ts';
import type { ReadyCheck } from '../http/server-deps.ts';
import type { Provisioned } from '../domain/provision/provision.ts';
import { TEST_TRUNK } from '../domain/provision/test-trunk.ts';

/** Base URL of the API for clients. `port`: the one that is bound; null: not yet. */
export function apiUrl(config: Pick<Config, 'publicUrl' | 'host' | 'port'>, port: number | null): string {
  if (config.publicUrl !== null) return config.publicUrl;
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  return `http://${host}:${port ?? config.port}`;
}

/** The parts of a started process; null: not in this process's roles. */
export interface Started {
  url: string;
  hasApi: boolean;
  listening: readonly string[] | null;
  engines: { vad: string; stt: string; tts: string; llm: string } | null;
  /** Checks of the calls that failed or have a note. */
  warnings: readonly ReadyCheck[];
  provisioned: Provisioned;
  /** ALLOWED_COUNTRIES is not set. */
  allowsEveryCountry: boolean;
  /** The token of the link that creates the first owner; null: the installation has one. */
  firstRunToken: string | null;
}

/** The report that is printed once calls can be placed. */
export function startReport(started: Started): string[] {
  const { url, listening, engines, provisioned } = started;
  const lines = ['', 'Callwright is ready.'];
  if (started.hasApi) {
    lines.push(
      `  API         ${url}/api/v0`,
      `  API docs    ${url}/docs`,
      started.firstRunToken === null
        ? `  Dashboard   ${url}/`
        : // The token follows a `#`, which browsers send to no server.
          `  Dashboard   ${url}/first-run#${started.firstRunToken}  (creates the first owner: keep it secret)`,
    );
  }
  if (listening !== null) {
    lines.push(
      `  SIP         ${listening.join(', ')}`,
      `  Test calls  trunk "${TEST_TRUNK}": any number answers; …0002 is busy, …0003 rings out, …0004 is voicemail`,
    );
  }
  if (engines !== null) {
    lines.push(
      `  Engines     brain ${engines.llm}, recognition ${engines.stt}, voices ${engines.tts}, speech detection ${engines.vad}`,
    );
  }
  for (const { name, detail = 'failed' } of started.warnings) lines.push(`  Warning     ${name}: ${detail}`);
  if (started.allowsEveryCountry) {
    lines.push(
      '  Advice      set ALLOWED_COUNTRIES (such as US,CA) before you connect a carrier: every country may be called',
    );
  }
  return [...lines, ...provisioned.lines, ...firstSteps(started), ''];
}

function firstSteps({ provisioned: { first }, url }: Started): string[] {
  if (first === null) return [];
  const body = {
    name: 'Sam',
    mobile_number: '+14155550123',
    agent_id: first.agentId,
    from_number_id: first.numberId,
  };
  return [
    '',
    '  Place a first call, on the built-in test carrier, and watch it:',
    `    CALLWRIGHT_API_KEY=${first.apiKey} CALLWRIGHT_URL=${url} bin/callwright call ${body.mobile_number} --agent ${body.agent_id}`,
    '  or with curl:',
    `    curl -s ${url}/api/v0/calling/outbound/individual -H 'X-API-KEY: ${first.apiKey}' \\`,
    `      -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
  ];
}
