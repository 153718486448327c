import type { Provisioned } from '../domain/provision/provision.ts';
import { TEST_TRUNK } from '../domain/provision/provision-file.ts';

/** What a started process offers; null: that part does not run here. */
export interface Started {
  url: string;
  hasApi: boolean;
  listening: readonly string[] | null;
  engines: { vad: string; stt: string; tts: string; llm: string } | null;
  provisioned: Provisioned;
}

/** What to tell the operator once calls can be placed. */
export function startReport(started: Started): string[] {
  const { url, listening, engines, provisioned } = started;
  const lines = ['', 'Callwright is ready.'];
  if (started.hasApi) {
    lines.push(
      `  API         ${url}/api/v0`,
      `  API docs    ${url}/docs`,
      `  Dashboard   not in this version; ${url}/ links to what there is`,
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
    `    CALLWRIGHT_API_KEY=${first.apiKey} CALLWRIGHT_URL=${url} bin/callwright call ${body.mobile_number}`,
    '  or with curl:',
    `    curl -s ${url}/api/v0/calling/outbound/individual -H 'X-API-KEY: ${first.apiKey}' \\`,
    `      -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
  ];
}
