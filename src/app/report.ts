import type { Config } from '../config.ts';
import type { ReadyCheck } from '../http/server/server-deps.ts';
import { keyLines, type Provisioned } from '../domain/provision/provision.ts';
import type { EnginesInUse } from '../shared/engines-in-use.ts';
import { ownCommand } from '../shared/own-command.ts';
import { TEST_TRUNK } from '../domain/trunks/test-trunk.ts';

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
  engines: { vad: string; llm: string; inUse: EnginesInUse } | null;
  /** What would be better than the engines in use, with the command that brings it; null: nothing. */
  better: string | null;
  /** Checks of the calls that failed or have a note. */
  warnings: readonly ReadyCheck[];
  provisioned: Provisioned;
  /** ALLOWED_COUNTRIES is not set. */
  allowsEveryCountry: boolean;
  /** The link that creates the first owner; null: the installation has one, or the link has expired. */
  ownerLink: string | null;
  /** The installation has no owner, and its link has expired. */
  needsFirstRun: boolean;
  /** Files that hold new keys and that link instead of the report; null: the report goes to a terminal. */
  files: { readonly keyFile: string; readonly linkFile: string } | null;
}

/** The token follows a `#`, which browsers send to no server. */
export const ownerLink = (url: string, token: string): string => `${url}/first-run#${token}`;

/** The report that is printed once calls can be placed. */
export function startReport(started: Started): string[] {
  const { url, listening, engines, provisioned } = started;
  const lines = ['', 'Callwright is ready.'];
  if (started.hasApi) {
    lines.push(
      `  API         ${url}/api/v0`,
      `  API docs    ${url}/docs`,
      `  Dashboard   ${dashboardLine(started)}`,
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
      `  Hears       ${engines.inUse.ears}`,
      `  Speaks      ${engines.inUse.voices}`,
      `  Engines     brain ${engines.llm}, speech detection ${engines.vad}`,
    );
  }
  for (const { name, detail = 'failed' } of started.warnings) lines.push(`  Warning     ${name}: ${detail}`);
  if (started.better !== null) lines.push(`  Advice      ${started.better}`);
  if (started.allowsEveryCountry) {
    lines.push(
      '  Advice      set ALLOWED_COUNTRIES (such as US,CA) before you connect a carrier: owners may open every other country',
    );
  }
  return [
    ...lines,
    ...newKeyLines(provisioned, started.files),
    ...provisioned.lines,
    ...firstSteps(started),
    '',
  ];
}

function dashboardLine({ url, ownerLink: link, needsFirstRun, files }: Started): string {
  if (needsFirstRun) return `${url}/  (callwright first-run prints a link that creates the first owner)`;
  if (link === null) return `${url}/`;
  if (files === null) return `${link}  (creates the first owner: keep it secret)`;
  return `${url}/  (the link in ${files.linkFile} creates the first owner)`;
}

/** New keys, or the file that holds them. */
export function newKeyLines({ newKeys }: Provisioned, files: Started['files']): string[] {
  if (files === null) return keyLines(newKeys);
  return newKeys.length === 0 ? [] : [`  API key     in ${files.keyFile}, which only this user can read`];
}

function firstSteps({ provisioned: { first }, url, files }: Started): string[] {
  if (first === null) return [];
  const body = {
    name: 'Sam',
    mobile_number: '+14155550123',
    agent_id: first.agentId,
    from_number_id: first.numberId,
  };
  const call = `${ownCommand()} call ${body.mobile_number} --agent ${body.agent_id}`;
  const header = `X-API-KEY: ${files === null ? first.apiKey : `$(cat ${files.keyFile})`}`;
  return [
    '',
    '  Place a first call, on the built-in test carrier, and watch it:',
    files === null
      ? `    CALLWRIGHT_API_KEY=${first.apiKey} CALLWRIGHT_URL=${url} ${call}`
      : `    CALLWRIGHT_URL=${url} ${call} --key-file ${files.keyFile}`,
    '  or with curl:',
    `    curl -s ${url}/api/v0/calling/outbound/individual -H "${header}" \\`,
    `      -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
  ];
}
