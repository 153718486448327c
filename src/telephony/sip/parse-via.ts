import { NO_PARAMS, parseParams, splitOutside } from './grammar.ts';
import type { CSeq, Via } from './message.ts';
import { isToken, parseDecimal } from './grammar.ts';
import { parseHostPort } from './uri.ts';

const VIA = /^SIP\s*\/\s*2\.0\s*\/\s*([^\s;/]+)\s+([^\s;]+(?:\s*:\s*\d+)?)\s*(?:;([^]*))?$/i;

/** The Via values of one header line, topmost first. Null when any of them is malformed. */
export function parseVia(line: string): Via[] | null {
  const parts = line.includes(',') ? splitOutside(line, ',') : [line];
  if (parts === null) return null;
  const vias: Via[] = [];
  for (const part of parts) {
    const match = VIA.exec(part.trim());
    if (match === null) return null;
    const sentBy = parseHostPort((match[2] ?? '').replace(/\s/g, ''));
    const params = match[3] === undefined ? NO_PARAMS : parseParams(match[3]);
    if (sentBy === null || params === null || !isToken(match[1] ?? '')) return null;
    vias.push({ transport: (match[1] ?? '').toUpperCase(), host: sentBy.host, port: sentBy.port, params });
  }
  return vias;
}

/** `4711 INVITE`; the number is below 2^31 (RFC 3261 section 8.1.1.5). */
export function parseCSeq(value: string): CSeq | null {
  const match = /^(\d+)\s+(\S+)$/.exec(value);
  const sequence = parseDecimal(match?.[1] ?? '', 2 ** 31 - 1);
  const method = match?.[2] ?? '';
  return sequence === null || !isToken(method) ? null : { sequence, method };
}
